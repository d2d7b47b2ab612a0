// How the point is moved: click and drag on the curve and on the scores, and keys.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});
  const PAGE = 10;

  const STEPS = {
    ArrowRight: (at) => at + 1,
    ArrowUp: (at) => at + 1,
    ArrowLeft: (at) => at - 1,
    ArrowDown: (at) => at - 1,
    PageUp: (at) => at + PAGE,
    PageDown: (at) => at - PAGE,
    Home: () => 0,
    End: (at, last) => last,
  };

  // Press and move: the point follows until the pointer is let go. A finger may still scroll up and down.
  function drag(node, follow) {
    let held = null;
    node.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      held = event.pointerId;
      node.setPointerCapture(held);
      follow(event);
    });
    node.addEventListener("pointermove", (event) => {
      if (event.pointerId === held) follow(event);
    });
    for (const end of ["pointerup", "pointercancel"]) {
      node.addEventListener(end, (event) => {
        if (event.pointerId === held) held = null;
      });
    }
  }

  // Keys go through a sequence of points.
  function onKey(event, store, sequence, actions) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = STEPS[event.key];
    const action = actions[event.key.toLowerCase()];
    if (step === undefined && action === undefined) return;
    event.preventDefault();
    if (step === undefined) return action();
    const last = sequence.length - 1;
    const at = step(sequence.indexOf(store.state.point), last);
    store.set({ point: sequence[Math.min(Math.max(at, 0), last)] });
  }

  function connect(store, plot, scores, actions) {
    const move = (point) => {
      if (point !== store.state.point) store.set({ point });
    };
    drag(plot.root, (event) => move(plot.nearest(event.clientX, event.clientY)));
    plot.root.addEventListener("keydown", (event) => onKey(event, store, plot.sequence(), actions));
    for (const view of scores.views) {
      drag(view.root, (event) => move(view.nearest(event.clientX, event.clientY)));
      // Up and right are higher scores, and so stricter points.
      view.root.addEventListener("keydown", (event) => onKey(event, store, [...plot.sequence()].reverse(), actions));
    }
  }

  explorer.pointer = { connect };
})();
