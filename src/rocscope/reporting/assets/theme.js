// Light or dark: as the system says, until the reader presses the button.
"use strict";

(() => {
  const KEY = "rocscope-theme";
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const listeners = [];
  let preferred = remembered();

  // A page opened from a file may be forbidden to remember anything.
  function remembered() {
    try {
      return window.localStorage.getItem(KEY);
    } catch {
      return null;
    }
  }

  function remember(theme) {
    try {
      window.localStorage.setItem(KEY, theme);
    } catch {
      // The choice holds for this visit.
    }
  }

  function theme() {
    if (document.documentElement.classList.contains("printing")) return "light";
    return preferred ?? (system.matches ? "dark" : "light");
  }

  function show() {
    const now = theme();
    document.documentElement.dataset.theme = now;
    const button = document.getElementById("theme");
    if (button !== null) {
      button.hidden = false;
      button.textContent = now === "dark" ? "Light colours" : "Dark colours"; // what pressing it does
    }
    for (const listener of listeners) listener(now);
  }

  rocscope.theme = theme;
  rocscope.onTheme = (listener) => listeners.push(listener);

  // Paper is white.
  function print(starts) {
    document.documentElement.classList.toggle("printing", starts);
    show();
  }

  system.addEventListener("change", show);
  window.addEventListener("beforeprint", () => print(true));
  window.addEventListener("afterprint", () => print(false));
  document.addEventListener("DOMContentLoaded", () => {
    document.getElementById("theme")?.addEventListener("click", () => {
      preferred = theme() === "dark" ? "light" : "dark";
      remember(preferred);
      show();
    });
    show();
  });
})();
