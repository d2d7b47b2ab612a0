// The selected point to take away: as Python, as the JSON of OperatingPointClassifier, and as an address.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const { element } = rocscope;
  const { write } = explorer.dom;

  // The clipboard where the browser gives it, which in a frame it does not; else the text is selected and copied.
  async function copy(text, holder) {
    try {
      if (window.top !== window) throw new Error("in a frame");
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const range = document.createRange();
      range.selectNodeContents(holder);
      getSelection().removeAllRanges();
      getSelection().addRange(range);
      return document.execCommand("copy");
    }
  }

  function program(model, point) {
    const code = model.text("code", point);
    if (code === null) return "# this decision rule is your own: rocscope cannot write it down";
    return `import rocscope as rs\n\npoint = ${code}\nmodel = rs.OperatingPointClassifier(estimator, point)`;
  }

  class Copies {
    constructor(model, section) {
      this.model = model;
      this.said = element("span", { role: "status", class: "explorer-copied" });
      this.python = this.part("Copy as Python", "explorer-python");
      this.json = this.part("Copy as JSON", "explorer-json");
      const link = element("button", { type: "button", class: "explorer-link" }, "Copy the address of this view");
      link.hidden = location.protocol === "about:"; // a frame of a notebook has no address of its own
      // The address is shown as well: a reader sees what was copied, and can copy it where the browser does not.
      this.address = element("pre", { class: "explorer-address", tabindex: 0, "aria-label": "Address", hidden: true });
      link.addEventListener("click", () => {
        write(this.address, explorer.url.address(section));
        this.address.hidden = false;
        this.take(this.address.textContent, this.address);
      });
      this.root = element(
        "details", { class: "explorer-copies" }, element("summary", {}, "Take the point away"),
        this.python.root, this.json.root, this.address,
        element("div", { class: "explorer-buttons" }, link, this.said),
      );
    }

    part(text, kind) {
      const holder = element("pre", { class: kind, tabindex: 0, "aria-label": text.replace("Copy as ", "") });
      const button = element("button", { type: "button" }, text);
      button.addEventListener("click", () => this.take(holder.textContent, holder));
      return { root: element("div", {}, holder, button), holder, button };
    }

    async take(text, holder) {
      write(this.said, (await copy(text, holder)) ? "Copied." : "Not copied: your browser does not allow it.");
    }

    draw(state) {
      write(this.python.holder, program(this.model, state.point));
      const json = this.model.text("json", state.point);
      write(this.json.holder, json ?? "a class name or decision rule of your own cannot be saved as JSON");
      for (const part of [this.python, this.json]) part.button.disabled = json === null;
      if (this.last !== state.point) {
        write(this.said, "");
        this.address.hidden = true; // of a view that is gone
      }
      this.last = state.point;
    }
  }

  explorer.Copies = Copies;
})();
