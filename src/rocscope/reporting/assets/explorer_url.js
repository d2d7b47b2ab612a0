// The state in the fragment of the address: a copied address shows what its sender saw.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const PAUSE = 150; // milliseconds: browsers refuse to change the address very often

  const asNumbers = (text) => text.split(",").map(Number);
  const isShare = (p) => Number.isFinite(p) && p > 0 && p < 1;
  const ROUNDING = 1e-9; // what the shares of all classes may add up to beside 1, as in core/measures.py
  const areAll = (shares) => Math.abs(shares.reduce((sum, p) => sum + p, 0) - 1) <= ROUNDING;

  // How each part of the state is written and read; a text that means nothing reads as undefined.
  function parts(model) {
    const axis = (text) => {
      const { ALIASES } = explorer.measures;
      const names = explorer.state.axes(model);
      return [text, Object.hasOwn(ALIASES, text) ? ALIASES[text] : null].find((name) => names.includes(name));
    };
    const place = (text) => {
      const k = model.payload.index.indexOf(Number(text));
      return text === "" || k < 0 ? undefined : k;
    };
    const several = (holds) => (text) => {
      const numbers = asNumbers(text);
      return numbers.length === model.classes.length && numbers.every(holds) ? numbers : undefined;
    };
    const oneOf = (names) => (text) => (names.includes(text) ? text : undefined);
    const level = (text) => {
      const k = model.payload.levels.indexOf(Number(text));
      return k < 0 ? undefined : k;
    };
    return {
      point: { write: (k) => model.payload.index[k], read: place },
      pin: { write: (k) => model.payload.index[k], read: place },
      x: { write: String, read: axis },
      y: { write: String, read: axis },
      method: { write: String, read: oneOf(["paired-t", "paclik", "corrected"]) },
      level: { write: (k) => model.payload.levels[k], read: level },
      aim: { write: String, read: oneOf(explorer.state.aims(model).map(([value]) => value)) },
      bounds: { write: String, read: String },
      scores: { write: String, read: oneOf(model.payload.dots ? ["dots", "histogram"] : ["histogram"]) },
      log: { write: String, read: (text) => (text === "true" ? true : undefined) },
      prevalence: {
        write: (p) => [p].flat().join(","),
        read: (text) => {
          if (model.classes.length === 2) return isShare(Number(text)) ? Number(text) : undefined;
          const shares = several(isShare)(text);
          return shares !== undefined && areAll(shares) ? shares : undefined;
        },
      },
      cost: { write: (costs) => costs.join(","), read: several((c) => Number.isFinite(c) && c > 0) },
      measures: {
        write: JSON.stringify,
        read: (text) => {
          try {
            const names = model.payload.compared.filter((name) => JSON.parse(text).includes(name));
            return names.length ? names : undefined;
          } catch {
            return undefined;
          }
        },
      },
    };
  }

  const shown = () => new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");

  // The marker that the address names; null where it names none.
  const readMarker = (section) => shown().get(`${section}.marker`);

  // `section` is the identifier of a section, with a number for the further markers of it.
  function read(section, model) {
    const values = {};
    const fields = shown();
    for (const [name, { read: readPart }] of Object.entries(parts(model))) {
      const text = fields.get(`${section}.${name}`);
      const value = text === null ? undefined : readPart(text);
      if (value !== undefined) values[name] = value;
    }
    return values;
  }

  // The fragment with this section's state in it; the others' fields stay.
  function fragment(section, model, state, start) {
    const fields = shown();
    for (const [name, { write }] of Object.entries(parts(model))) {
      const same = JSON.stringify(state[name]) === JSON.stringify(start[name]);
      if (same || state[name] === null) fields.delete(`${section}.${name}`);
      else fields.set(`${section}.${name}`, write(state[name]));
    }
    return fields.toString();
  }

  // The address that was read or written last. Another one has just come, and its event is on the way.
  let known = location.hash;
  window.addEventListener("hashchange", () => (known = location.hash));

  function put(fields) {
    if ((fields === "" && namesSection()) || location.hash !== known) return;
    try {
      history.replaceState(null, "", fields ? `#${fields}` : location.href.split("#")[0]);
      known = location.hash;
    } catch {
      // Inside a notebook's frame the address cannot be changed; everything else works.
    }
  }

  // Whether the fragment is a place on the page, which says nothing about the state of explorers.
  const namesSection = () => location.hash.length > 1 && !location.hash.includes("=");

  // What every section has still to write: its timer and the writing.
  const waiting = new Map();

  function writeNow(section) {
    const { timer, write } = waiting.get(section);
    clearTimeout(timer);
    waiting.delete(section);
    write();
  }

  function writer(section, model, start) {
    return (state) => {
      clearTimeout(waiting.get(section)?.timer);
      const timer = setTimeout(() => writeNow(section), PAUSE);
      waiting.set(section, { timer, write: () => put(fragment(section, model, state, start)) });
    };
  }

  // The chosen marker of a section; the first is not named.
  function writeMarker(section, name) {
    const fields = shown();
    if (name === null) fields.delete(`${section}.marker`);
    else fields.set(`${section}.marker`, name);
    put(fields.toString());
  }

  // The address with the state of now, whatever has waited to be written; it leads to this section.
  function address(section) {
    for (const one of [...waiting.keys()]) writeNow(one);
    const fields = shown();
    fields.set("at", section);
    return `${location.href.split("#")[0]}#${fields}`;
  }

  explorer.url = { read, readMarker, writer, writeMarker, address, namesSection };
})();
