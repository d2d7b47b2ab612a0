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

  // The row of what the explorer shows: a score, or the average of it over folds.
  const numberOf = (marker) => Math.max(0, markers.findIndex((name) => marker === name || marker?.startsWith(`${name}, `)));

  function mark(number) {
    rows.forEach((row, k) => {
      const shown = k === number;
      row.classList.toggle("shown", shown);
      row.querySelector("button").setAttribute("aria-pressed", String(shown));
    });
  }

  const write = (n) => Number(n.toPrecision(12)).toLocaleString("en-US");

  const cutoff = (threshold, lower) =>
    Number.isFinite(threshold) ? `${lower ? "\u2264" : "\u2265"} ${Number(threshold.toPrecision(4))}` : "none";

  function follow({ marker, threshold, lower, counts: [[tn, fp], [fn, tp]] }) {
    const number = numberOf(marker);
    mark(number);
    if (counts === null) return;
    const shown = rows[number].cells[0].innerText; // shortened where it is long
    counts.caption.textContent = `${shown} at the cut-off ${cutoff(threshold, lower)}`;
    const cells = [[tp, fp], [fn, tn], [tp + fn, fp + tn]];
    cells.forEach(([here, there], r) => {
      [here, there, here + there].forEach((n, c) => {
        counts.tBodies[0].rows[r].cells[c + 1].textContent = write(n);
      });
    });
  }

  mark(0);
  rocscope.explorer?.onChange?.(follow);
});
