// One explorer: its parts are made, connected to the state, and drawn again whenever it changes.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { element } = rocscope;
  const { icon, change, write } = explorer.dom;
  const { buttons, fileName, standAlone } = rocscope.saving;
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

  // The marks of the curve that are in use now.
  class Legend {
    constructor(model, plot) {
      this.plot = plot;
      const two = model.classes.length === 2;
      const bars = model.averaged ? "; bars: standard error" : model.payload.counted ? "; bars: its intervals" : "";
      const texts = {
        point: `this point${bars}`,
        fold: "its folds",
        alike: model.averaged ? "indistinguishable from it" : `${two ? "sensitivity, specificity" : "class errors"} within its intervals`,
        best: "the best point",
        iso: "line of equal cost",
        feasible: "within the constraints",
        pin: "the pinned point",
      };
      this.items = Object.entries(texts).map(([name, text]) => {
        const label = element("span", { "data-mark": name }, text);
        return { name, label, root: element("li", {}, icon(name), label) };
      });
      this.root = element("ul", { class: "explorer-legend", "aria-label": "Marks of the curve" }, ...this.items.map(({ root }) => root));
    }

    draw(state, outcome) {
      const used = this.plot.inUse(state, outcome);
      for (const { name, label, root } of this.items) {
        root.hidden = !used[name];
        if (name === "fold") write(label, this.plot.beyond ? `its folds (${this.plot.beyond} beyond the axes)` : "its folds");
      }
    }
  }

  function describe(plot, model, state) {
    const sequence = plot.sequence();
    change(plot.root, {
      "aria-valuenow": sequence.indexOf(state.point),
      "aria-valuetext": pointName(model, state.point),
    });
  }

  function folded(text, kind, ...parts) {
    return element("details", { class: kind }, element("summary", {}, text), ...parts);
  }

  // An explorer of a payload, whose state stands in the address under `key`; `section` is where it is shown.
  function instance(section, key, payload) {
    const model = new explorer.Model(payload);
    const begin = initial(model);
    const store = new Store({ ...begin, ...explorer.url.read(key, model) });
    const plot = new explorer.Plot(model);
    const scores = new explorer.Scores(model, store);
    const panel = new explorer.Panel(model);
    change(plot.root, { "aria-describedby": panel.reading.id });
    const pinned = new explorer.Pinned(model, store);
    const { Best, Comparing, Axes } = explorer.controls;
    const best = new Best(model, store);
    const prevalence = model.isTest ? new explorer.Prevalence(model, store) : null;
    const onCurve = model.isTest && model.thresholds !== null && payload.order !== null;
    const criterion = onCurve ? new explorer.Criterion(model, store) : null;
    const settings = [new Comparing(model, store), new Axes(model, store)];
    const copies = new explorer.Copies(model, section.id);
    const legend = new Legend(model, plot);

    const find = finder(model);
    const parts = [plot, scores, panel, pinned, best, prevalence, criterion, ...settings, copies, legend].filter(Boolean);
    store.listen((state) => {
      const outcome = find(state);
      for (const part of parts) part.draw(state, outcome);
      describe(plot, model, state);
    });
    store.listen(explorer.url.writer(key, model, begin));
    explorer.pointer.connect(store, plot, scores, {
      p: () => pinned.toggle(store),
      o: () => best.best !== undefined && store.set({ point: best.best }),
    });
    explorer.links.connect(section, model, store);
    // A fragment holds the whole state: what it does not name is as at the beginning.
    window.addEventListener("hashchange", () => {
      const { read, namesSection } = explorer.url;
      if (namesSection()) store.notify();
      else store.set({ ...begin, ...read(key, model) });
    });

    if (prevalence !== null) panel.root.append(panel.measures, prevalence.root);
    else panel.root.append(panel.measures);
    if (panel.more !== null) panel.root.append(panel.more);
    const nameOf = (thing) => (ending) => fileName(section, `${payload.name ?? ""} ${thing}`, ending);
    const takeCurve = buttons("the curve", () => standAlone(plot.root), nameOf("curve"));
    const takeScores = buttons("the scores", () => standAlone(scores.root.querySelector("svg:not([hidden])")), nameOf("scores"));
    scores.root.append(takeScores);
    const drawn = element("div", { class: "explorer-drawn" }, plot.root, takeCurve);
    const seen = element("div", { class: "explorer-seen" }, drawn, legend.root, scores.root);
    if (payload.note) seen.append(element("p", { class: "note" }, payload.note));
    const right = element(
      "div", { class: "explorer-settings" },
      folded("Settings", "explorer-set", ...settings.map((part) => part.root)), copies.root,
    );
    const controls = element("div", { class: "explorer-controls" }, best.root, right);
    const root = element(
      "div", { class: "explorer-instance" },
      element("div", { class: "explorer-main" }, seen, panel.root, pinned.root), controls, criterion?.root,
    );
    store.notify();
    const made = { root, model, store, plot, scores, histogram: scores.histogram, begin };
    explorer.running.set(key, made);
    return made;
  }

  explorer.running = new Map();
  explorer.instance = instance;
})();
