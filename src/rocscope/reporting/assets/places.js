// The place that the address names stays where it was while the page above it still changes.
"use strict";

(() => {
  const NEAR = 2; // pixels
  let held = null; // the section, until the reader goes elsewhere
  let height = 0;

  const whole = () => document.documentElement.scrollHeight;

  function isShown(node) {
    const left = whole() - innerHeight - scrollY; // of the last sections not even the start reaches the top
    const { top } = node.getBoundingClientRect();
    return Math.abs(top) < NEAR || (left < NEAR && top > 0);
  }

  function show() {
    if (held === null) return;
    height = whole();
    if (!isShown(held)) held.scrollIntoView();
  }

  function hold(fragment) {
    held = document.getElementById(decodeURIComponent(fragment.slice(1)));
    show();
  }

  function release() {
    held = null;
  }

  // A fragment that is the state of explorers names a place where it was copied as an address.
  function holdAddress() {
    const place = new URLSearchParams(location.hash.slice(1)).get("at") ?? location.hash.slice(1);
    if (/^s\d+$/.test(place)) hold(`#${place}`);
  }

  // Moved by what the page does not hear of, as the search of the browser.
  function left() {
    if (held !== null && whole() === height && !isShown(held)) release();
  }

  document.addEventListener("DOMContentLoaded", () => {
    holdAddress();
    new ResizeObserver(show).observe(document.body);
    for (const link of document.querySelectorAll("nav a")) {
      link.addEventListener("click", () => requestAnimationFrame(() => hold(link.hash)));
    }
  });
  window.addEventListener("hashchange", holdAddress);
  for (const kind of ["wheel", "touchmove", "keydown", "pointerdown"]) {
    window.addEventListener(kind, release, { passive: true, capture: true });
  }
  window.addEventListener("scroll", left, { passive: true });
})();
