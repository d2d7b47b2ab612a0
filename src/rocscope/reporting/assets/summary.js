// Page one: a row of the table shows its marker in the explorer, whose cut-off the 2x2 table follows.
"use strict";

rocscope.mount("summary", (section, { markers }) => {
  const table = section.querySelector('[data-table="markers"]');
  const counts = section.querySelector('[data-table="two-by-two"]');
  const rows = [...(table?.tBodies[0].rows ?? [])];

  rows.forEach((row, k) => {
    const cell = row.cells[0];
    const button = rocscope.element("button", { type: "button", class: "marker", "aria-pressed": "false" });
    button.append(...cell.childNodes);
    cell.append(button);
    button.addEventListener("click", () => rocscope.explorer?.show?.(markers[k]));
  });

  function mark(name) {
    rows.forEach((row, k) => {
      const shown = markers[k] === name;
      row.classList.toggle("shown", shown);
      row.querySelector("button").setAttribute("aria-pressed", String(shown));
    });
  }

  const write = (n) => Number(n.toPrecision(12)).toLocaleString("en-US");

  const cutoff = (threshold) => (threshold === Infinity ? "none" : `\u2265 ${Number(threshold.toPrecision(4))}`);

  function follow({ marker, threshold, counts: [[tn, fp], [fn, tp]] }) {
    mark(marker ?? markers[0]);
    if (counts === null) return;
    counts.caption.textContent = rocscope.spelt(`${marker ?? markers[0]} at the cut-off ${cutoff(threshold)}`);
    const cells = [[tp, fp], [fn, tn], [tp + fn, fp + tn]];
    cells.forEach(([here, there], r) => {
      [here, there, here + there].forEach((n, c) => {
        counts.tBodies[0].rows[r].cells[c + 1].textContent = write(n);
      });
    });
  }

  mark(markers[0]);
  rocscope.explorer?.onChange?.(follow);
});
