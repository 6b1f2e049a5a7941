/* The list of all records: shows what matches what is typed, the best match first. Reading needs nothing of this.
   The address keeps what is typed as `find`; the theme's own search takes `q` for itself. */
"use strict";
(() => {
  /* To lay out thousands of rows takes longer than to type the next letter. */
  const LISTED = 500;
  const FOUND = 200;

  const asId = text => text.trim().toLowerCase().replace(/:\s+/, ":").replace(/[\s_\u00ad\u2010-\u2015\u2212]+/g, "-");

  /* How well a record matches: 0 is its very ID; nothing where it does not match. */
  function rank(record, typed) {
    const id = asId(typed);
    const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
    const ids = [record.id, `${record.system}:${record.id}`];
    const holds = text => words.every(word => text.includes(word));
    const tests = [
      () => ids.includes(id),
      () => ids.some(each => each.startsWith(id)),
      () => ids.some(each => each.includes(id)),
      () => record.label.startsWith(words.join(" ")),
      () => holds(`${record.id} ${record.label}`),
      () => holds(record.text),
    ];
    const found = tests.findIndex(test => test());
    return found < 0 ? undefined : found;
  }

  function read(row) {
    const link = row.querySelector("a.rw-ref");
    const label = row.querySelector(".rw-label");
    return {
      row,
      link,
      system: row.dataset.system,
      id: link.textContent.toLowerCase(),
      label: label ? label.textContent.toLowerCase() : "",
      text: row.textContent.toLowerCase(),
    };
  }

  function setUp() {
    const box = document.querySelector(".rw-finder[hidden]");
    if (!box) return;
    const body = document.getElementById("rw-finder-rows");
    const input = box.querySelector("input");
    const told = box.querySelector("output");
    const whole = box.querySelector("button");
    let isWhole = false;
    const records = [...body.rows].filter(row => row.dataset.system !== undefined).map(read);

    function count(found) {
      if (!found) return "No record matches.";
      return `${found} of ${records.length} records${found > FOUND ? `; the best ${FOUND} are shown` : ""}`;
    }

    function show() {
      const typed = input.value.trim();
      const ranked = records.map(record => [rank(record, typed), record]).filter(([found]) => found !== undefined);
      ranked.sort(([a], [b]) => a - b);
      const first = typed ? ranked.slice(0, FOUND) : ranked.slice(0, isWhole ? ranked.length : LISTED);
      body.replaceChildren(...first.map(([, record]) => record.row));
      told.textContent = typed ? count(ranked.length) : "";
      whole.hidden = Boolean(typed) || first.length === records.length;
      const address = new URL(location.href);
      if (typed) address.searchParams.set("find", typed);
      else address.searchParams.delete("find");
      if (address.href !== location.href) history.replaceState(history.state, "", address);
      return first;
    }

    input.addEventListener("input", show);
    input.addEventListener("keydown", event => {
      if (event.key !== "Enter" || event.isComposing) return;
      const [best] = show();
      if (best && input.value.trim()) best[1].link.click();
    });
    whole.addEventListener("click", () => {
      isWhole = true;
      show();
    });
    input.value = new URL(location.href).searchParams.get("find") || "";
    box.hidden = false;
    if (input.value || records.length > LISTED) show();
  }

  if (window.document$) window.document$.subscribe(setUp);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", setUp);
  else setUp();
})();
