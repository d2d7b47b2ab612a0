// The explorer in a notebook's widget: it sends the selected point and its height to the frame around it, and
// selects the point that it receives.
"use strict";
(() => {
  const send = (message) => window.parent.postMessage({ rocscope: message }, "*");

  // Of a long curve some points are shown: the nearest one stands for the others.
  function nearest(index, wanted) {
    const distances = index.map((k) => Math.abs(k - wanted));
    return distances.indexOf(Math.min(...distances));
  }

  document.addEventListener("DOMContentLoaded", () => {
    const [running] = rocscope.explorer.running.values();
    if (running === undefined) return;
    const { model, store } = running;
    const { index } = model.payload;
    let selected = store.state.point;
    store.listen(({ point }) => {
      if (point === selected) return;
      selected = point;
      send({ index: index[point] });
    });
    window.addEventListener("message", ({ source, data }) => {
      const wanted = source === window.parent ? data?.rocscope?.index : undefined;
      if (!Number.isInteger(wanted) || wanted === index[selected]) return;
      selected = nearest(index, wanted); // not sent again
      store.set({ point: selected });
    });
    new ResizeObserver(() => send({ height: document.documentElement.offsetHeight })).observe(document.body);
    send({ ready: true });
  });
})();
