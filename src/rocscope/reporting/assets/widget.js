// The widget of a notebook: the page of the explorer in a frame of its own, whose point is the widget's `index`.

const HIGHEST = 1600; // pixels

function render({ model, el }) {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-downloads");
  frame.style.cssText = "width: 100%; height: 900px; border: 0; background: transparent";
  const select = () => frame.contentWindow?.postMessage({ rocscope: { index: model.get("index") } }, "*");

  // Only what our own frame says is heard, and of that only numbers.
  function hear({ source, data }) {
    const said = source === frame.contentWindow ? data?.rocscope : undefined;
    if (said === undefined || said === null) return;
    if (said.ready === true) select();
    if (Number.isInteger(said.height)) frame.style.height = `${Math.min(said.height + 4, HIGHEST)}px`;
    if (Number.isInteger(said.index) && said.index !== model.get("index")) {
      model.set("index", said.index);
      model.save_changes();
    }
  }

  window.addEventListener("message", hear);
  model.on("change:index", select);
  frame.srcdoc = model.get("_page");
  el.replaceChildren(frame);
  return () => {
    window.removeEventListener("message", hear);
    model.off("change:index", select);
  };
}

export default { render };
