// Every table can be taken away: copied for Word and Excel, or saved as CSV, XLSX or LaTeX; texts can be copied.
"use strict";

(() => {
  const { element } = rocscope;
  const { copy, fileName, save } = rocscope.saving;
  const SAID = 1500; // milliseconds that "Copied" stays
  const NUMBER = /^[-\u2212+]?(\d{1,3}(,\d{3})+|\d+)(\.\d+)?(e[-+]?\d+)?$/i;

  // ---- The cells of a table as texts

  function rowsOf(table) {
    return [...table.rows].map((row) => [...row.cells].map((cell) => cell.innerText.trim()));
  }

  const plainNumber = (text) => text.replace(/,/g, "").replace("\u2212", "-");

  function quoted(text) {
    // A cell that begins like a formula is a text for every spreadsheet.
    const safe = /^[=+\-@\t\r]/.test(text) && !NUMBER.test(text) ? `'${text}` : text;
    return /[",\n\r]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
  }

  function csv(rows) {
    return `\ufeff${rows.map((row) => row.map((text) => quoted(NUMBER.test(text) ? plainNumber(text) : text)).join(",")).join("\r\n")}\r\n`;
  }

  const TEX = { "\\": "\\textbackslash{}", "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "\u2212": "$-$", "\u2013": "--", "\u2265": "$\\geq$", "\u2264": "$\\leq$" };
  const tex = (text) => text.replace(/[\\~^\u2212\u2013\u2265\u2264]|[&%$#_{}]/g, (c) => TEX[c] ?? `\\${c}`);

  function latex(rows) {
    const [head, ...body] = rows.map((row) => `${row.map(tex).join(" & ")} \\\\`);
    const columns = `l${"r".repeat(rows[0].length - 1)}`;
    return [`\\begin{tabular}{${columns}}`, "\\hline", head, "\\hline", ...body, "\\hline", "\\end{tabular}", ""].join("\n");
  }

  // ---- XLSX: a few parts of XML in a zip archive without compression

  const CRC = Uint32Array.from({ length: 256 }, (_, n) => {
    let c = n;
    for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1;
    return c >>> 0;
  });

  function checksum(bytes) {
    let c = 0xffffffff;
    for (const byte of bytes) c = CRC[(c ^ byte) & 255] ^ (c >>> 8);
    return (c ^ 0xffffffff) >>> 0;
  }

  // Numbers of 2 and 4 bytes, the least significant first.
  const little = (...pairs) => pairs.flatMap(([value, size]) => Array.from({ length: size }, (_, k) => (value >>> (8 * k)) & 255));

  function zip(files) {
    const [parts, directory] = [[], []];
    let offset = 0;
    const text = new TextEncoder();
    for (const [name, content] of Object.entries(files)) {
      const [bytes, path] = [text.encode(content), text.encode(name)];
      const shared = [[20, 2], [0x800, 2], [0, 2], [0, 2], [0x21, 2], [checksum(bytes), 4], [bytes.length, 4], [bytes.length, 4], [path.length, 2], [0, 2]];
      const local = Uint8Array.from([...little([0x04034b50, 4], ...shared), ...path]);
      directory.push(...little([0x02014b50, 4], [20, 2], ...shared, [0, 2], [0, 2], [0, 2], [0, 4], [offset, 4]), ...path);
      parts.push(local, bytes);
      offset += local.length + bytes.length;
    }
    const n = Object.keys(files).length;
    const end = little([0x06054b50, 4], [0, 2], [0, 2], [n, 2], [n, 2], [directory.length, 4], [offset, 4], [0, 2]);
    return new Blob([...parts, Uint8Array.from([...directory, ...end])], { type: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet" });
  }

  const ESCAPED = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };
  // eslint-disable-next-line no-control-regex
  const xml = (text) => text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, "").replace(/[&<>"]/g, (c) => ESCAPED[c]);
  const cell = (text) =>
    NUMBER.test(text) ? `<c><v>${Number(plainNumber(text))}</v></c>` : `<c t="inlineStr"><is><t xml:space="preserve">${xml(text)}</t></is></c>`;

  function xlsx(rows) {
    const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>';
    const main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    const relations = "http://schemas.openxmlformats.org/package/2006/relationships";
    const kinds = "application/vnd.openxmlformats-officedocument.spreadsheetml";
    const data = rows.map((row) => `<row>${row.map(cell).join("")}</row>`).join("");
    return zip({
      "[Content_Types].xml": `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${kinds}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="${kinds}.worksheet+xml"/></Types>`,
      "_rels/.rels": `${head}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
      "xl/workbook.xml": `${head}<workbook xmlns="${main}" xmlns:r="${office}"><sheets><sheet name="Table" sheetId="1" r:id="rId1"/></sheets></workbook>`,
      "xl/_rels/workbook.xml.rels": `${head}<Relationships xmlns="${relations}"><Relationship Id="rId1" Type="${office}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
      "xl/worksheets/sheet1.xml": `${head}<worksheet xmlns="${main}"><sheetData>${data}</sheetData></worksheet>`,
    });
  }

  // ---- Buttons

  function said(button, text) {
    const before = button.textContent;
    button.textContent = text;
    setTimeout(() => (button.textContent = before), SAID);
  }

  function html(rows) {
    const line = (row, tag) => `<tr>${row.map((text) => `<${tag}>${xml(text)}</${tag}>`).join("")}</tr>`;
    return `<table>${rows.map((row, k) => line(row, k === 0 ? "th" : "td")).join("")}</table>`;
  }

  // The buttons of a table, which is read when they are pressed; `read` gives the rows of one that is not wholly drawn.
  function takeAway(table, what = table.caption?.textContent.trim() ?? "table", read = () => rowsOf(table)) {
    const button = (text, act) => {
      const made = element("button", { type: "button", "aria-label": `${text}: ${what}` }, text);
      made.addEventListener("click", () => act(made, read()));
      return made;
    };
    return element(
      "div", { class: "take" },
      button("Copy", (made, rows) => copy(rows.map((row) => row.join("\t")).join("\n"), html(rows)).then(() => said(made, "Copied"))),
      button("CSV", (_, rows) => save(fileName(table, what, "csv"), csv(rows), "text/csv;charset=utf-8")),
      button("XLSX", (_, rows) => save(fileName(table, what, "xlsx"), xlsx(rows))),
      button("LaTeX", (_, rows) => save(fileName(table, what, "tex"), latex(rows))),
    );
  }

  rocscope.takeAway = takeAway;

  // A table that is wider than its place says so, until it is scrolled to its end.
  function signScrolling(scroll) {
    const more = scroll.scrollWidth - scroll.clientWidth - scroll.scrollLeft > 8;
    scroll.classList.toggle("more-right", more);
  }

  document.addEventListener("DOMContentLoaded", () => {
    for (const scroll of document.querySelectorAll(".scroll")) {
      const table = scroll.querySelector("table");
      if (table !== null) scroll.after(takeAway(table));
      scroll.addEventListener("scroll", () => signScrolling(scroll), { passive: true });
      const sizes = new ResizeObserver(() => signScrolling(scroll));
      for (const one of [scroll, ...(table === null ? [] : [table])]) sizes.observe(one);
    }
    // A long text that scrolls inside its place is reached by the keyboard too.
    const lengths = new ResizeObserver((entries) => {
      for (const { target } of entries) {
        if (target.scrollHeight > target.clientHeight) target.setAttribute("tabindex", "0");
        else target.removeAttribute("tabindex");
      }
    });
    for (const text of document.querySelectorAll(".reading, .note, .quotation p")) lengths.observe(text);
    for (const button of document.querySelectorAll("[data-copy]")) {
      button.hidden = false;
      button.addEventListener("click", () => copy(button.parentElement.querySelector("p").innerText).then(() => said(button, "Copied")));
    }
  });
})();
