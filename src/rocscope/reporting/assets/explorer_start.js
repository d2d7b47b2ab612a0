// The explorers of a page: of several markers one is shown, chosen by a menu, by the address or by another section.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { element } = rocscope;
  const { labelled, option } = explorer.dom;

  const listeners = [];
  const groups = [];

  // What other sections receive of the marker and the point that are shown.
  function report({ markers, chosen }) {
    const { model, store } = chosen.made;
    const { point, level, prevalence } = store.state;
    const measures = Object.fromEntries(model.names.map((name) => {
      const { mean, sd } = model.momentsAt(name, point, prevalence);
      const { se = sd, low = NaN, high = NaN } = model.estimateAt(name, point, level, prevalence) ?? {};
      return [name, { value: mean, se, low, high }];
    }));
    return {
      marker: markers[chosen.number].name ?? null,
      point: model.payload.index[point],
      threshold: model.thresholds[point],
      lower: model.lower,
      counts: model.confusion(point),
      measures,
      level: model.payload.levels[level],
      prevalence,
    };
  }

  function inform(group) {
    for (const listener of listeners) listener(report(group));
  }

  // Of two classes with thresholds: what a row of a table of markers can name.
  const isTest = (payload) => payload.kind === "threshold" && payload.classes.length === 2;

  class Group {
    constructor(section, markers) {
      this.section = section;
      this.markers = markers;
      this.made = new Map();
      this.place = element("div", { class: "explorer-shown" });
      this.menu = element("select", {}, ...markers.map(({ name }, k) => option(String(k), name ?? "")));
      this.menu.addEventListener("change", () => this.choose(Number(this.menu.value)));
      const field = labelled("Marker", this.menu);
      field.classList.add("explorer-marker");
      section.querySelector(".explorer-place").replaceChildren(...(markers.length > 1 ? [field] : []), this.place);
      this.show(this.named());
      window.addEventListener("hashchange", () => explorer.url.namesSection() || this.show(this.named()));
    }

    // The marker that the address names; the first where it names none that there is.
    named() {
      const name = explorer.url.readMarker(this.section.id);
      return name === null ? 0 : Math.max(0, this.markers.findIndex((marker) => marker.name === name));
    }

    // An explorer is made when its marker is first shown.
    explorerOf(number) {
      if (!this.made.has(number)) {
        const key = number === 0 ? this.section.id : `${this.section.id}-${number}`;
        const made = explorer.instance(this.section, key, this.markers[number]);
        made.store.listen(() => this.chosen.number === number && this.changed());
        this.made.set(number, made);
      }
      return this.made.get(number);
    }

    show(number) {
      const made = this.explorerOf(number);
      if (this.chosen?.number === number) return;
      this.chosen = { number, made };
      this.menu.value = String(number);
      this.place.replaceChildren(made.root);
      this.changed();
    }

    choose(number) {
      this.show(number);
      explorer.url.writeMarker(this.section.id, number === 0 ? null : this.markers[number].name);
    }

    changed() {
      if (isTest(this.markers[0])) inform(this);
    }
  }

  // Select a marker by its name, as a row of a table of markers does; whether there is one.
  explorer.show = (name) => {
    const found = groups.flatMap((group) => group.markers.map((marker, number) => ({ group, marker, number })))
      .find(({ marker }) => marker.name === name);
    found?.group.choose(found.number);
    return found !== undefined;
  };

  // Receive the marker and the point, now and whenever they change.
  explorer.onChange = (listener) => {
    listeners.push(listener);
    for (const group of groups) if (isTest(group.markers[0])) listener(report(group));
  };

  rocscope.mount("explorer", (section, payload) => groups.push(new Group(section, payload.markers ?? [payload])));
})();
