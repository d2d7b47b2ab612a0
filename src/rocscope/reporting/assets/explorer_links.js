// The point in the panels of its result, which stand in the section before: selected here it lights up there, and
// touched there it is selected here.
"use strict";
(() => {
  const explorer = (rocscope.explorer ??= {});

  function connect(section, model, store) {
    const { panels, index, n_points: size } = model.payload;
    if (!panels?.length) return;
    const start = store.state.point;
    // Panels are linked after the sections are made.
    setTimeout(() => {
      const linked = rocscope.linked?.(section.previousElementSibling) ?? null; // a page without a plot has no panels
      if (linked === null || linked.count !== panels.length) return;
      let moved = false;
      const follow = ({ point }) => {
        moved ||= point !== start;
        if (moved) linked.show(panels.map((names) => names.map((name) => model.means(name)[point])));
      };
      store.listen(follow);
      linked.listen((number) => {
        const point = linked.size === size ? index.indexOf(number) : -1;
        if (point >= 0 && point !== store.state.point) store.set({ point });
      });
    });
  }

  explorer.links = { connect };
})();
