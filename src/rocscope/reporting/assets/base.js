// What every script of the page shares: data, elements, and the mounting of sections.
"use strict";

// Nothing leaves this page: no script of it may open another one.
window.open = () => null;

const rocscope = (() => {
  const mounts = new Map();

  // The payload of a section, or of the page: JSON in an element that no browser runs.
  function data(id) {
    const holder = document.getElementById(`${id}-data`);
    return holder === null ? {} : JSON.parse(holder.textContent);
  }

  // Register what makes the sections of a kind alive.
  function mount(kind, start) {
    mounts.set(kind, start);
  }

  // Control characters of names, spelt out: an override of direction shows 47 as 74. The twin of core/formatting.py.
  const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;
  const code = (character) => character.charCodeAt(0).toString(16).padStart(4, "0");
  function spelt(text) {
    return String(text).replace(CONTROLS, (character) => `\\u${code(character)}`);
  }

  const spellChild = (child) => (child instanceof Node ? child : spelt(child));
  const READ_OUT = /^(title|placeholder|aria-.*)$/; // attributes that are read, where others are compared
  const spellAttribute = (name, value) => (READ_OUT.test(name) ? spelt(value) : value);

  // A DOM element; texts become text nodes, whatever they hold.
  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (value === true) made.setAttribute(name, "");
      else if (value !== false && value !== null && value !== undefined) {
        made.setAttribute(name, spellAttribute(name, value));
      }
    }
    made.append(...children.filter((child) => child !== null && child !== undefined).map(spellChild));
    return made;
  }

  function start() {
    for (const section of document.querySelectorAll("section[data-kind]")) {
      const begin = mounts.get(section.dataset.kind);
      if (begin !== undefined) begin(section, data(section.id));
    }
  }

  document.addEventListener("DOMContentLoaded", start);
  return { data, element, mount, spelt, spellAttribute, spellChild };
})();
