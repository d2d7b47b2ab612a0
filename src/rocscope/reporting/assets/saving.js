// What a reader takes away from the page: files with telling names, pictures that stand alone, the clipboard.
"use strict";

(() => {
  const SHARPNESS = 2; // pixels of a saved picture in one of the page
  const LOOKS = ["fill", "fill-opacity", "stroke", "stroke-width", "stroke-dasharray", "stroke-opacity", "stroke-linecap", "opacity", "font-family", "font-size", "font-weight", "text-anchor", "display", "visibility"];

  const slug = (text, most = 40) =>
    text.normalize("NFKD").replace(/[\u0300-\u036f]/g, "").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "").slice(0, most);

  const owners = new Map(); // what has a name: another thing of the same name has a number

  // The page, the section, the thing itself: what a file is of is in its name.
  function fileName(node, what, ending) {
    const section = node.closest("section")?.querySelector("h2")?.textContent ?? "";
    const parts = [slug(document.title), slug(section), slug(what, 60)].filter(Boolean);
    const base = [...new Set(parts)].join("_") || "rocscope";
    for (let k = 1; ; k++) {
      const name = `${base}${k > 1 ? `-${k}` : ""}.${ending}`;
      const owner = owners.get(name);
      if (owner === undefined) owners.set(name, [node, what]);
      else if (owner[0] !== node || owner[1] !== what) continue;
      return name;
    }
  }

  function save(name, content, type = "text/plain;charset=utf-8") {
    const blob = content instanceof Blob ? content : new Blob([content], { type });
    const link = rocscope.element("a", { href: URL.createObjectURL(blob), download: name });
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  const svgBlob = (root) => new Blob([new XMLSerializer().serializeToString(root)], { type: "image/svg+xml" });

  // A drawing that styles of the page colour, with these looks written into it and white paper below it.
  function standAlone(drawing) {
    const root = drawing.cloneNode(true);
    const [{ width, height }, copies] = [drawing.viewBox.baseVal, [root, ...root.querySelectorAll("*")]];
    [drawing, ...drawing.querySelectorAll("*")].forEach((node, k) => {
      const shown = getComputedStyle(node);
      for (const name of LOOKS) copies[k].style.setProperty(name, shown.getPropertyValue(name));
    });
    for (const [name, value] of Object.entries({ xmlns: "http://www.w3.org/2000/svg", width, height })) root.setAttribute(name, value);
    root.style.background = getComputedStyle(document.documentElement).getPropertyValue("--paper");
    return root;
  }

  async function savePng(root, name) {
    const image = new Image();
    image.src = URL.createObjectURL(svgBlob(root));
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = ["width", "height"].map((side) => Math.ceil(SHARPNESS * Number(root.getAttribute(side))));
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    URL.revokeObjectURL(image.src);
    canvas.toBlob((blob) => save(name, blob), "image/png");
  }

  // Two buttons; `make` gives the drawing that stands alone, `nameOf` the name of its file by the ending.
  function buttons(what, make, nameOf) {
    const button = (kind, act) => {
      const made = rocscope.element("button", { type: "button", "aria-label": `Save as ${kind}: ${what}` }, kind);
      made.addEventListener("click", act);
      return made;
    };
    return rocscope.element(
      "div", { class: "save" },
      button("SVG", () => save(nameOf("svg"), svgBlob(make()))),
      button("PNG", () => savePng(make(), nameOf("png"))),
    );
  }

  // Where the clipboard is not allowed, as in a page opened from a file by some browsers, a selection is copied.
  async function copy(plain, html) {
    try {
      const kinds = { "text/plain": new Blob([plain], { type: "text/plain" }) };
      if (html !== undefined) kinds["text/html"] = new Blob([html], { type: "text/html" });
      await navigator.clipboard.write([new ClipboardItem(kinds)]);
    } catch {
      const set = (event) => {
        event.clipboardData.setData("text/plain", plain);
        if (html !== undefined) event.clipboardData.setData("text/html", html);
        event.preventDefault();
      };
      document.addEventListener("copy", set, { once: true });
      document.execCommand("copy");
      document.removeEventListener("copy", set);
    }
  }

  rocscope.saving = { slug, fileName, save, standAlone, buttons, copy };
})();
