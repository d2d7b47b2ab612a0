// The page of `rocscope app`: a table is dropped, columns are chosen, the report is made and shown.
"use strict";

(() => {
  const { element, spelt } = rocscope;
  const $ = (id) => document.getElementById(id);
  const TYPES = { number: "numbers", whole: "whole numbers", truth: "true or false", text: "text", empty: "empty" };
  const FIELDS = ["outcome", "positive", "markers", "direction", "rule", "fold", "level", "seed", "sheet", "decimal", "missing", "below"];
  const POLL = 250; // milliseconds
  const UNREACHED = "The program does not reply any more. Start rocscope app again, and open the address that it prints.";
  let table = null;
  let report = null; // the one on show
  let running = null;
  let adopted = null; // the column that becomes a marker when the table is read again

  // ---- Requests: a reply, or a sentence for a field ----

  async function send(method, path, body) {
    let reply;
    try {
      reply = await fetch(path, { method, body, credentials: "omit" });
    } catch {
      throw { field: null, message: UNREACHED };
    }
    const text = await reply.text();
    let value;
    try {
      value = JSON.parse(text);
    } catch {
      value = { field: null, message: text };
    }
    if (!reply.ok) throw value;
    return value;
  }

  function clearErrors() {
    for (const node of document.querySelectorAll(".error")) node.hidden = true;
    for (const node of document.querySelectorAll("[aria-invalid]")) node.removeAttribute("aria-invalid");
  }

  // A sentence next to the field it belongs to.
  function showError({ field, message }, otherwise) {
    const place = FIELDS.includes(field) ? field : otherwise;
    const holder = $(`${place}-error`);
    holder.textContent = spelt(message ?? "Something went wrong.");
    holder.hidden = false;
    const control = $(place);
    if (control === null || place === "file") {
      holder.scrollIntoView({ block: "center" });
      return;
    }
    for (let node = control; node !== null; node = node.parentElement) {
      if (node.tagName === "DETAILS") node.open = true;
    }
    const input = control.matches("input, select") ? control : control.querySelector("input") ?? control;
    input.setAttribute("aria-invalid", "true");
    input.focus();
    holder.scrollIntoView({ block: "nearest" });
  }

  // ---- The table ----

  async function take(work, what) {
    clearErrors();
    const place = $("file");
    place.setAttribute("aria-busy", "true");
    $("formats").textContent = what;
    for (const id of ["example", "again"]) $(id).disabled = true;
    try {
      showTable(await work());
    } catch (error) {
      showError(error, "file");
    }
    $("formats").textContent = formats;
    place.removeAttribute("aria-busy");
    for (const id of ["example", "again"]) $(id).disabled = false;
    $("pick").value = "";
  }

  const formats = $("formats").textContent;

  function takeFile(file) {
    const most = Number(document.body.dataset.maxUpload);
    take(() => {
      if (file.size > most) {
        throw { message: `The file must be at most ${document.body.dataset.maxUploadText} large; on the command line rocscope has no such limit.` };
      }
      return send("POST", `tables?name=${encodeURIComponent(file.name)}`, file);
    }, "Reading the table …");
  }

  function showTable(next) {
    const kept = table === null ? {} : chosen();
    if (adopted !== null) kept.markers.push(adopted);
    adopted = null;
    const before = table;
    table = next;
    if (before?.id !== table.id) for (const id of ["sheet", "decimal", "missing", "below"]) $(id).value = "";
    $("file").classList.add("loaded");
    const holder = $("table");
    const heads = table.columns.map((column) => element("th", { scope: "col", title: column.name }, column.name, typeText(column)));
    const rows = table.first.map((row) => element("tr", {}, ...row.map((cell) => element("td", { title: cell ?? "" }, cell ?? "–"))));
    const rest = table.rows > table.first.length ? ` The first ${table.first.length} rows:` : "";
    const about = `: ${count(table.rows, "row")}, ${count(table.columns.length, "column")}.${rest}`;
    const whole = element("table", {}, element("thead", {}, element("tr", {}, ...heads)), element("tbody", {}, ...rows));
    holder.replaceChildren(
      element("p", { class: "about" }, element("strong", {}, table.name), about),
      element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "The first rows" }, whole),
      ...table.notes.map((text) => element("p", { class: "note" }, text)),
    );
    holder.hidden = false;
    $("writing").hidden = false;
    showChoices(before === null ? table.choices : carried(kept, before));
  }

  const count = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;

  function typeText({ type, missing }) {
    return element("span", { class: "type" }, `${TYPES[type]}${missing ? `, ${missing.toLocaleString("en")} missing` : ""}`);
  }

  // Choices of the table before, where this one has columns and values of the same names.
  function carried(kept, before) {
    const place = (k) => (k === null ? -1 : table.columns.findIndex(({ name }) => name === before.columns[k].name));
    const outcome = place(kept.outcome);
    if (outcome < 0) return { ...kept, outcome: null, positive: [], markers: [], fold: null, ...table.choices };
    const known = kept.positive.map((k) => before.columns[kept.outcome].values[k]);
    const positive = known.map((value) => table.columns[outcome].values.indexOf(value)).filter((k) => k >= 0);
    const fold = place(kept.fold);
    return { ...kept, outcome, positive, markers: kept.markers.map(place).filter((k) => k >= 0), fold: fold < 0 ? null : fold };
  }

  // ---- The choices ----

  const isNumber = ({ type }) => type === "number" || type === "whole";

  function options(select, first, fits, value) {
    const made = table.columns.map((column, k) => [column, k]).filter(([column]) => fits(column));
    select.replaceChildren(element("option", { value: "" }, first), ...made.map(([{ name }, k]) => element("option", { value: k }, name)));
    select.value = value === null || value === undefined ? "" : String(value);
    if (select.selectedIndex < 0) select.value = "";
  }

  function showChoices(choices) {
    options($("outcome"), "Choose a column", ({ distinct }) => distinct > 0, choices.outcome);
    options($("fold"), "None", ({ distinct }) => distinct > 1, choices.fold);
    showValues(choices.positive ?? []);
    showMarkers(choices.markers ?? []);
    for (const name of ["direction", "rule", "bound", "level", "seed"]) {
      if (choices[name] !== undefined && choices[name] !== null) $(name).value = choices[name];
    }
    showBound();
    $("choices").hidden = false;
    $("choices-title").focus();
    $("choices-title").scrollIntoView({ block: "nearest" });
  }

  // One of two values, or any of several: all others are then the negative class.
  function showValues(positive) {
    const column = table.columns[$("outcome").value];
    const holder = $("positive").querySelector(".options");
    const values = column === undefined ? [] : column.values;
    if (values.length < 2) {
      const text = column === undefined ? "Choose the outcome first." : `This column has ${count(column.distinct, "different value")}; an outcome has a few.`;
      holder.replaceChildren(element("p", { class: "hint" }, text));
      return;
    }
    const type = values.length === 2 ? "radio" : "checkbox";
    holder.replaceChildren(
      ...values.map((value, k) => element("label", {}, element("input", { type, name: "positive", value: k, checked: positive.includes(k) }), value)),
    );
  }

  function showMarkers(ticked) {
    const outcome = $("outcome").value;
    const boxes = table.columns.flatMap((column, k) =>
      isNumber(column) && String(k) !== outcome
        ? [element("label", {}, element("input", { type: "checkbox", name: "marker", value: k, checked: ticked.includes(k) }), column.name)]
        : [],
    );
    const none = element("p", { class: "hint" }, "No column of numbers is left.");
    $("markers").querySelector(".options").replaceChildren(...(boxes.length ? boxes : [none]));
    const unread = table.columns.flatMap((column, k) => (column.unread.length && String(k) !== outcome ? [unreadColumn(column, k)] : []));
    $("unread").replaceChildren(...unread);
    $("unread").hidden = unread.length === 0;
  }

  // ---- Columns that would be numbers but for a few texts: what is in the way, and what to do about it ----

  const SHOWN = 4; // texts that are spelt out
  const quote = ({ text }) => `“${text}”`;

  function named(texts) {
    const shown = texts.slice(0, SHOWN).map(quote);
    return texts.length > SHOWN ? `${shown.join(", ")} and ${texts.length - SHOWN} more` : shown.join(", ");
  }

  function unreadColumn({ name, unread }, place) {
    const [below, others] = [unread.filter((one) => one.below), unread.filter((one) => !one.below)];
    const listed = unread.slice(0, SHOWN).map((one) => `${quote(one)} (${count(one.cells, "cell")})`).join(", ");
    const rest = unread.length > SHOWN ? ` and ${unread.length - SHOWN} more` : "";
    const button = (text, act) => {
      const made = element("button", { type: "button", "aria-label": `${name}: ${text}` }, text);
      made.addEventListener("click", act);
      return made;
    };
    const choices = [];
    if (below.length) {
      const limit = below[0].text.replace(/^[<≤]=?\s*/, "");
      const more = others.length ? `, treat ${named(others)} as missing` : "";
      choices.push(button(`Count ${below[0].text} as ${limit}${more}`, () => readAs(place, others, true)));
    }
    choices.push(button(`Treat ${named(unread)} as missing`, () => readAs(place, unread, false)));
    return element("div", {}, element("p", {}, element("strong", {}, name), ` is not numeric: ${listed}${rest}.`), element("p", { class: "row" }, ...choices));
  }

  // Read the table again with these codes for missing values; the column is a marker then.
  function readAs(place, codes, keep) {
    const written = codes.map(({ text }) => (/\s/.test(text) ? `"${text}"` : text));
    const known = $("missing").value.trim();
    $("missing").value = [...new Set([...(known ? [known] : []), ...written])].join(" ");
    if (keep) $("below").value = "keep";
    adopted = place;
    readAgain();
  }

  function readAgain() {
    const body = Object.fromEntries(["sheet", "decimal", "missing", "below"].map((id) => [id, $(id).value]));
    return take(() => send("POST", `tables/${table.id}`, JSON.stringify(body)), "Reading the table again …");
  }

  function showBound() {
    $("bound-label").hidden = !["sensitivity", "specificity"].includes($("rule").value);
  }

  const place = (id) => ($(id).value === "" ? null : Number($(id).value));

  function chosen() {
    const numbers = (name) => [...document.querySelectorAll(`input[name=${name}]:checked`)].map((box) => Number(box.value));
    return {
      outcome: place("outcome"),
      positive: numbers("positive"),
      markers: numbers("marker"),
      direction: $("direction").value,
      fold: place("fold"),
      rule: $("rule").value,
      bound: place("bound"),
      level: place("level"),
      seed: place("seed"),
    };
  }

  // ---- The report ----

  async function make(event) {
    event.preventDefault();
    if (running !== null || table === null) return;
    clearErrors();
    $("make").disabled = true;
    try {
      running = await send("POST", "reports", JSON.stringify({ table: table.id, ...chosen() }));
      $("progress").hidden = false;
      $("bar").removeAttribute("value");
      while (running.state === "running") {
        $("doing").textContent = spelt(running.what);
        if (running.share > 0) $("bar").value = running.share;
        await new Promise((done) => setTimeout(done, POLL));
        running = await send("GET", `reports/${running.id}`);
      }
      if (running.state === "failed") throw running;
      if (running.state === "done") showReport(running);
    } catch (error) {
      showError(error, "form");
    }
    running = null;
    $("progress").hidden = true;
    $("make").disabled = false;
  }

  function showReport(made) {
    // Shown before it is filled: a frame that loads while it is hidden may stay without a layout.
    $("prepare").hidden = true;
    $("result").hidden = false;
    if (report?.id !== made.id) {
      report = made;
      $("frame").src = `reports/${made.id}/page`;
      $("open").href = `reports/${made.id}/page`;
      $("save").href = `reports/${made.id}/file`;
      $("save").download = made.file;
      $("result-title").textContent = spelt(table.name);
      $("back").hidden = false;
    }
    $("result-title").focus();
  }

  function showForm() {
    $("result").hidden = true;
    $("prepare").hidden = false;
    $("choices-title").focus();
  }

  // ---- What the controls do ----

  $("pick").addEventListener("change", () => {
    if ($("pick").files.length) takeFile($("pick").files[0]);
  });
  $("example").addEventListener("click", () => take(() => send("POST", "example"), "Reading the example …"));
  $("again").addEventListener("click", readAgain);
  $("outcome").addEventListener("change", () => {
    const { markers } = chosen();
    showValues([]);
    showMarkers(markers);
  });
  $("rule").addEventListener("change", showBound);
  $("choices").addEventListener("submit", make);
  $("stop").addEventListener("click", () => {
    if (running !== null) send("DELETE", `reports/${running.id}`).catch(() => {});
  });
  $("change").addEventListener("click", showForm);
  $("back").addEventListener("click", () => showReport(report));

  // A file may be dropped anywhere; the browser must not open it in place of the page.
  const drop = $("drop");
  document.addEventListener("dragover", (event) => {
    event.preventDefault();
    drop.classList.add("over");
  });
  document.addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) drop.classList.remove("over");
  });
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    drop.classList.remove("over");
    if (event.dataTransfer.files.length) takeFile(event.dataTransfer.files[0]);
  });
})();
