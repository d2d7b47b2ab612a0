// The state in the fragment of the address: a copied address shows what its sender saw.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const PAUSE = 150; // milliseconds: browsers refuse to change the address very often

  const asNumbers = (text) => text.split(",").map(Number);
  const isShare = (p) => Number.isFinite(p) && p > 0 && p < 1;

  // How each part of the state is written and read; a text that means nothing reads as undefined.
  function parts(model) {
    const known = (text) => (model.knows(text) ? text : undefined);
    const place = (text) => {
      const k = model.payload.index.indexOf(Number(text));
      return text === "" || k < 0 ? undefined : k;
    };
    const several = (holds) => (text) => {
      const numbers = asNumbers(text);
      return numbers.length === model.classes.length && numbers.every(holds) ? numbers : undefined;
    };
    const oneOf = (words) => (text) => (words.includes(text) ? text : undefined);
    const level = (text) => {
      const k = model.payload.levels.indexOf(Number(text));
      return k < 0 ? undefined : k;
    };
    return {
      point: { write: (k) => model.payload.index[k], read: place },
      pin: { write: (k) => model.payload.index[k], read: place },
      x: { write: String, read: known },
      y: { write: String, read: known },
      method: { write: String, read: oneOf(["paired-t", "paclik", "corrected"]) },
      level: { write: (k) => model.payload.levels[k], read: level },
      aim: { write: String, read: oneOf(explorer.state.aims(model).map(([value]) => value)) },
      bounds: { write: String, read: String },
      prevalence: {
        write: (p) => [p].flat().join(","),
        read: (text) => {
          if (model.classes.length > 2) return several(isShare)(text);
          return isShare(Number(text)) ? Number(text) : undefined;
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

  function read(section, model) {
    const found = {};
    const words = new URLSearchParams(location.hash.slice(1));
    for (const [name, { read: readPart }] of Object.entries(parts(model))) {
      const text = words.get(`${section}.${name}`);
      const value = text === null ? undefined : readPart(text);
      if (value !== undefined) found[name] = value;
    }
    return found;
  }

  // The fragment with this section's state in it; the others' words stay.
  function fragment(section, model, state, start) {
    const words = new URLSearchParams(location.hash.includes("=") ? location.hash.slice(1) : "");
    for (const [name, { write }] of Object.entries(parts(model))) {
      const same = JSON.stringify(state[name]) === JSON.stringify(start[name]);
      if (same || state[name] === null) words.delete(`${section}.${name}`);
      else words.set(`${section}.${name}`, write(state[name]));
    }
    return words.toString();
  }

  function writer(section, model, start) {
    let timer = null;
    return (state) => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        const words = fragment(section, model, state, start);
        if (words === "" && !location.hash.includes("=")) return; // it may name a section
        try {
          history.replaceState(null, "", words ? `#${words}` : location.href.split("#")[0]);
        } catch {
          // Inside a notebook's frame the address cannot be changed; everything else works.
        }
      }, PAUSE);
    };
  }

  explorer.url = { read, writer, fragment };
})();
