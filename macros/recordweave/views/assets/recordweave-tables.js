/* Tables of rows: filters with counts, groups, order, columns, and the rows shown as CSV or JSON.

   Every row and field is in the page already, and is read without this. What is chosen stands in the address, under
   the table's name: `?ledger.function=retention&ledger.group=routes`. */
"use strict";
(() => {
  const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

  function element(tag, attributes = {}, ...children) {
    const made = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (name.startsWith("on")) made.addEventListener(name.slice(2), value);
      else if (value === true) made.setAttribute(name, "");
      else if (value !== false && value !== undefined) made.setAttribute(name, value);
    }
    made.append(...children);
    return made;
  }

  const partOf = (row, key) => row.body.querySelector(`.rw-part--${key}`);

  /* What a field says, folded or not, a line for each block, without what has been put into it here. */
  function valueOf(part) {
    const value = part && part.querySelector(":scope > .rw-value");
    if (!value) return "";
    const copy = value.cloneNode(true);
    for (const each of copy.querySelectorAll(".rw-show, .rw-owners")) each.remove();
    for (const each of copy.querySelectorAll("p, li, div, br, dt, dd, pre, .rw-id, .rw-id > .rw-label")) each.before("\n");
    return copy.textContent.split("\n").map(line => line.replace(/\s+/g, " ").trim()).filter(Boolean).join("\n");
  }

  /* A table with its rows, read once from the page. */
  class Rows {
    constructor(box) {
      this.box = box;
      this.name = box.dataset.table;
      this.table = box.querySelector("table");
      this.head = this.table.tHead.rows[0];
      this.facets = JSON.parse(box.dataset.facets || "{}");
      this.fields = JSON.parse(box.dataset.fields);
      this.lists = JSON.parse(box.dataset.lists); /* the fields that hold IDs */
      for (const key of Object.keys(this.fields)) {
        for (const part of box.querySelectorAll(`.rw-bare.rw-part--${key}`)) {
          part.prepend(element("span", { class: "rw-name" }, this.fields[key])); /* for where its column does not say it */
        }
      }
      this.rows = [...this.table.tBodies].filter(body => body.classList.contains("rw-row")).map((body, index) => ({
        body,
        index,
        text: [...body.querySelectorAll(".rw-part")].map(valueOf).join("\n").toLowerCase(),
        values: JSON.parse(body.dataset.values || "{}"),
      }));
    }

    matches(row, state, without) {
      if (!state.words.every(word => row.text.includes(word))) return false;
      return Object.entries(state.chosen).every(([facet, wanted]) =>
        facet === without || !wanted.size || (row.values[facet] || []).some(value => wanted.has(value)));
    }

    /* How many rows each value of a facet would leave, the other facets being as they are. */
    counts(facet, state) {
      const counts = new Map();
      for (const row of this.rows) {
        const there = this.matches(row, state, facet);
        for (const value of row.values[facet] || []) counts.set(value, (counts.get(value) || 0) + (there ? 1 : 0));
      }
      return counts;
    }

    /* What a row is ordered by; to read it from the page takes long, and it stays the same. */
    key(row, name) {
      row.keys ||= {};
      row.keys[name] ??= row.values[name]?.join(", ") ?? valueOf(partOf(row, name));
      return row.keys[name];
    }
  }

  class State {
    constructor(rows) {
      this.rows = rows;
      this.text = "";
      this.chosen = Object.fromEntries(Object.keys(rows.facets).map(facet => [facet, new Set()]));
      this.group = "";
      this.sort = "";
      this.columns = [];
    }

    get words() { return this.text.toLowerCase().split(/\s+/).filter(Boolean); }

    get isFiltered() { return Boolean(this.words.length || Object.values(this.chosen).some(each => each.size)); }

    read() {
      const given = new URL(location.href).searchParams;
      const get = name => given.get(`${this.rows.name}.${name}`) || "";
      this.text = get("text");
      for (const facet of Object.keys(this.chosen)) {
        const known = new Set(this.rows.rows.flatMap(row => row.values[facet] || []));
        this.chosen[facet] = new Set(given.getAll(`${this.rows.name}.${facet}`).filter(value => known.has(value)));
      }
      this.group = Object.keys(this.rows.facets).includes(get("group")) ? get("group") : "";
      this.sort = Object.keys(this.rows.fields).includes(get("sort")) ? get("sort") : "";
      const others = Object.keys(this.rows.fields).slice(1);
      this.columns = [...new Set(get("columns").split(","))].filter(key => others.includes(key));
    }

    write() {
      const address = new URL(location.href);
      for (const name of [...address.searchParams.keys()]) {
        if (name.startsWith(`${this.rows.name}.`)) address.searchParams.delete(name);
      }
      const set = (name, value) => value && address.searchParams.append(`${this.rows.name}.${name}`, value);
      set("text", this.text.trim());
      for (const [facet, wanted] of Object.entries(this.chosen)) for (const value of wanted) set(facet, value);
      set("group", this.group);
      set("sort", this.sort);
      set("columns", this.columns.join(","));
      const target = address.hash && document.getElementById(decodeURIComponent(address.hash.slice(1)));
      if (this.isSettled && target && this.rows.rows.some(row => row.body.hidden && row.body.contains(target))) address.hash = "";
      if (address.href !== location.href) history.replaceState(history.state, "", address);
    }

    clear() {
      this.text = "";
      for (const wanted of Object.values(this.chosen)) wanted.clear();
    }
  }

  /* The bar above a table, and what it does to the table. */
  class Bar {
    constructor(rows) {
      this.rows = rows;
      this.state = new State(rows);
      this.home = new Map();
      this.groups = [];
      this.bar = this.build();
      rows.box.before(this.bar);
      this.state.read();
      this.field.value = this.state.text;
      this.groupBy.value = this.state.group;
      this.sortBy.value = this.state.sort;
      this.lay();
      this.show();
      this.state.isSettled = true; /* from here on, a row that is filtered away is no longer what the address names */
    }

    build() {
      const id = `rw-text-${this.rows.name}`;
      this.field = element("input", { type: "search", id, autocomplete: "off", oninput: () => { this.state.text = this.field.value; this.show(); } });
      this.menus = Object.entries(this.rows.facets).map(([facet, title]) => this.menu(facet, title));
      this.groupBy = this.select("Group by", this.rows.facets, "no groups", value => { this.state.group = value; });
      this.sortBy = this.select("Order", this.rows.fields, "as in the report", value => { this.state.sort = value; });
      this.told = element("output", { class: "rw-told", for: id });
      this.clearButton = element("button", { type: "button", class: "rw-clear", onclick: () => { this.state.clear(); this.field.value = ""; this.show(); this.field.focus(); } }, "Clear filters");
      const save = (name, make) => element("button", { type: "button", onclick: () => this.save(name, make) }, name.toUpperCase());
      return element("div", { class: "rw-bar", role: "search", "aria-label": `Filter: ${this.rows.box.getAttribute("aria-label")}` },
        element("div", { class: "rw-bar__line" },
          element("label", { for: id }, "Filter"), this.field, ...this.menus.map(menu => menu.box)),
        element("div", { class: "rw-bar__line" },
          this.groupBy.parentElement, this.sortBy.parentElement, this.columnsMenu(),
          element("span", { class: "rw-save" }, "Save as ", save("csv", csv), " ", save("json", json)), widener(),
          this.told, this.clearButton));
    }

    select(title, options, none, choose) {
      const made = element("select", { onchange: () => { choose(made.value); this.show(); } },
        element("option", { value: "" }, none),
        ...Object.entries(options).map(([key, name]) => element("option", { value: key }, name)));
      element("label", {}, `${title} `, made);
      return made;
    }

    menu(facet, title) {
      const list = element("div", { class: "rw-facet__values", role: "group", "aria-label": title });
      const summary = element("summary", {}, title);
      const box = element("details", { class: "rw-facet" }, summary, list);
      const values = [...new Set(this.rows.rows.flatMap(row => row.values[facet] || []))];
      const inputs = new Map(values.map(value => {
        const input = element("input", { type: "checkbox", onchange: () => {
          if (input.checked) this.state.chosen[facet].add(value);
          else this.state.chosen[facet].delete(value);
          this.show();
        } });
        const count = element("span", { class: "rw-facet__count" });
        list.append(element("label", {}, input, element("span", {}, value), count));
        return [value, { input, count }];
      }));
      closing(box);
      return { facet, title, box, summary, inputs };
    }

    columnsMenu() {
      const list = element("div", { class: "rw-facet__values", role: "group", "aria-label": "Columns" });
      this.columnInputs = new Map(Object.entries(this.rows.fields).slice(1).map(([key, title]) => {
        const input = element("input", { type: "checkbox", onchange: () => {
          this.state.columns = [...this.columnInputs].filter(([, each]) => each.checked).map(([name]) => name);
          this.lay();
          this.show();
        } });
        list.append(element("label", {}, input, element("span", {}, title)));
        return [key, input];
      }));
      const box = element("details", { class: "rw-facet" }, element("summary", {}, "Columns"), list);
      closing(box);
      return box;
    }

    /* Give each chosen field a column of its own; what is not chosen stays one step away, below its row. */
    lay() {
      for (const [key, input] of this.columnInputs) input.checked = this.state.columns.includes(key);
      const chosen = this.state.columns;
      if (!chosen.length && !this.headings) return; /* as the page has it: to move what stays costs a slow machine much */
      this.rows.box.classList.toggle("rw-table--chosen", chosen.length > 0);
      for (const row of this.rows.rows) this.layRow(row, chosen);
      if (!this.headings) this.headings = [...this.rows.head.cells];
      const [first] = Object.values(this.rows.fields);
      this.rows.head.replaceChildren(...(chosen.length
        ? [first, ...chosen.map(key => this.rows.fields[key])].map(title => element("th", { scope: "col" }, title))
        : this.headings));
      const width = this.rows.head.cells.length;
      for (const cell of this.rows.table.querySelectorAll(".rw-more > td")) cell.colSpan = width;
    }

    layRow(row, chosen) {
      const main = row.body.rows[0];
      if (!this.home.has(row)) {
        const parts = [...row.body.querySelectorAll(".rw-part")];
        this.home.set(row, { cells: [...main.cells], parts: parts.map(part => [part, part.parentElement]) });
      }
      const { cells, parts } = this.home.get(row);
      for (const [part, parent] of parts) parent.append(part);
      main.replaceChildren(...cells);
      const link = cells[0].querySelector(".rw-permalink");
      if (link) cells[0].append(link);
      const more = row.body.querySelector(".rw-more .rw-parts");
      if (more) more.closest("tr").hidden = false;
      if (!chosen.length) return;
      const made = chosen.map(key => {
        const part = partOf(row, key);
        return element("td", { "data-column": this.rows.fields[key] }, ...(part ? [part] : []));
      });
      for (const [part, parent] of parts) {
        const stays = parent === cells[0] && part.classList.contains(`rw-part--${Object.keys(this.rows.fields)[0]}`);
        if (!stays && !made.some(cell => cell.contains(part)) && more) more.append(part);
      }
      main.replaceChildren(cells[0], ...made);
      if (more) more.closest("tr").hidden = !more.children.length;
    }

    show() {
      const { state, rows } = this;
      const shown = rows.rows.filter(row => rows.matches(row, state));
      const by = name => (a, b) => collator.compare(rows.key(a, name), rows.key(b, name)) || a.index - b.index;
      if (state.sort) shown.sort(by(state.sort));
      for (const each of this.groups) each.remove();
      this.groups = [];
      const order = [];
      if (state.group) {
        const placed = new Set();
        for (const [value, members] of grouped(shown, row => row.values[state.group])) {
          const heading = element("tbody", { class: "rw-group" }, element("tr", {}, element("th", {
            scope: "rowgroup", colspan: rows.head.cells.length }, `${value} `, element("span", { class: "rw-facet__count" }, String(members.length)))));
          const bodies = members.map(row => (placed.has(row) ? again(row) : row.body));
          for (const row of members) placed.add(row);
          this.groups.push(heading, ...bodies.filter(body => body.classList.contains("rw-again")));
          order.push(heading, ...bodies);
        }
      } else order.push(...shown.map(row => row.body));
      const kept = new Set(shown);
      for (const row of rows.rows) row.body.hidden = !kept.has(row);
      const rest = rows.rows.filter(row => !kept.has(row)).map(row => row.body);
      const bodies = [...order, ...rest];
      const before = [...rows.table.tBodies];
      if (bodies.length !== before.length || bodies.some((body, at) => body !== before[at])) rows.table.append(...bodies);
      this.shown = shown;
      for (const menu of this.menus) this.count(menu);
      this.told.textContent = `${shown.length} of ${rows.rows.length} rows`;
      this.clearButton.hidden = !state.isFiltered;
      state.write();
    }

    count({ facet, title, summary, inputs }) {
      const counts = this.rows.counts(facet, this.state);
      const wanted = this.state.chosen[facet];
      for (const [value, { input, count }] of inputs) {
        input.checked = wanted.has(value);
        count.textContent = String(counts.get(value) || 0);
      }
      summary.textContent = wanted.size ? `${title}: ${wanted.size}` : title;
      summary.classList.toggle("rw-facet--chosen", wanted.size > 0);
    }

    choose(values) {
      this.state.clear();
      for (const [facet, value] of Object.entries(values)) this.state.chosen[facet]?.add(value);
      this.field.value = "";
      this.show();
    }

    reveal(target) {
      const row = this.rows.rows.find(each => each.body.contains(target));
      if (row && row.body.hidden) { this.state.clear(); this.field.value = ""; this.show(); }
      const folded = target.closest("details");
      if (folded) folded.open = true;
    }

    save(name, make) {
      const fields = this.state.columns.length
        ? [Object.keys(this.rows.fields)[0], ...this.state.columns]
        : Object.keys(this.rows.fields);
      const { type, text } = make(this.shown, fields, this.rows.fields, this.rows.lists);
      const link = element("a", { href: URL.createObjectURL(new Blob([text], { type })), download: `${this.rows.box.id}.${name}` });
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 1000);
    }
  }

  /* Items under each of their names, in the order in which the names come; those without a name come last. */
  function grouped(items, names) {
    const groups = new Map();
    const rest = [];
    for (const item of items) {
      const under = names(item) || [];
      for (const name of under) groups.set(name, [...(groups.get(name) || []), item]);
      if (!under.length) rest.push(item);
    }
    return rest.length ? [...groups, ["none", rest]] : [...groups];
  }

  /* A row once more, for a further group that it belongs to; its anchors stay where it stands first. */
  function again({ body }) {
    const copy = body.cloneNode(true);
    copy.classList.add("rw-again");
    for (const each of [copy, ...copy.querySelectorAll("[id]")]) each.removeAttribute("id");
    for (const each of copy.querySelectorAll(".rw-show, .rw-owners")) each.remove();
    for (const see of copy.querySelectorAll(".rw-see")) offer(see);
    return copy;
  }

  function csv(rows, fields, titles) {
    const cell = text => (/[",\n\r]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const safe = text => (/^[=+\-@\t\r]/.test(text) ? `'${text}` : text);
    const lines = rows.map(row => [row.body.dataset.number, ...fields.map(key => safe(valueOf(partOf(row, key))))]);
    return { type: "text/csv;charset=utf-8", text: [["row", ...fields.map(key => titles[key])], ...lines].map(line => line.map(cell).join(",")).join("\r\n") + "\r\n" };
  }

  function json(rows, fields, titles, lists) {
    const value = (row, key) => (lists.includes(key) && row.values[key]) || valueOf(partOf(row, key));
    const told = rows.map(row => ({
      row: Number(row.body.dataset.number),
      address: new URL(`#${row.body.id}`, location.href.split(/[?#]/)[0]).href,
      ...Object.fromEntries(fields.map(key => [key, value(row, key)])),
    }));
    return { type: "application/json", text: `${JSON.stringify(told, null, 1)}\n` };
  }
  /* A menu stays on the screen; it closes when the reader goes on elsewhere, or presses Escape. */
  function closing(box) {
    box.addEventListener("toggle", () => {
      const list = box.lastElementChild;
      list.style.left = "0";
      const beyond = list.getBoundingClientRect().right - (document.documentElement.clientWidth - 8);
      if (box.open && beyond > 0) list.style.left = `${-beyond}px`;
    });
    box.addEventListener("focusout", event => {
      if (event.relatedTarget && !box.contains(event.relatedTarget)) box.open = false;
    });
    box.addEventListener("keydown", event => {
      if (event.key === "Escape" && box.open) {
        box.open = false;
        box.querySelector("summary").focus();
      }
    });
  }

  document.addEventListener("pointerdown", event => {
    for (const box of document.querySelectorAll(".rw-facet[open]")) if (!box.contains(event.target)) box.open = false;
  });

  /* What the owner of a deferred cell says, in the cell itself: from the owner's page, as it is there. */
  function offer(see) {
    const links = [...see.querySelectorAll("a.rw-ref")].filter(link => new URL(link.href).origin === location.origin);
    if (!links.length) return;
    const place = element("div", { class: "rw-owners", hidden: true });
    const button = element("button", { type: "button", class: "rw-show", "aria-expanded": "false", onclick: async () => {
      if (!place.hasChildNodes()) {
        button.disabled = true;
        place.replaceChildren(...await Promise.all(links.map(owner)));
        button.disabled = false;
      }
      place.hidden = !place.hidden;
      button.setAttribute("aria-expanded", String(!place.hidden));
      button.textContent = place.hidden ? "show here" : "hide";
    } }, "show here");
    see.after(" ", button, place);
  }

  async function owner(link) {
    const box = element("section", { class: "rw-owner", "aria-label": link.textContent });
    try {
      const answer = await fetch(link.href);
      if (!answer.ok) throw new Error(String(answer.status));
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const title = element("p", { class: "rw-owner__title" }, link.cloneNode(true));
      const label = page.querySelector("h1 > .rw-label");
      if (label) title.append(" ", label.textContent);
      box.append(title, ...said(page, answer.url));
    } catch {
      box.append(`${link.textContent} could not be loaded; its page may still open.`);
    }
    return box;
  }

  /* The summary and the fields of a record's page, with their links made absolute and without anchors. */
  function said(page, address) {
    const parts = [page.querySelector(".rw-summary"), ...page.querySelectorAll("#fields ~ .rw-field")].filter(Boolean);
    return parts.map(part => {
      const copy = document.importNode(part, true);
      for (const each of [copy, ...copy.querySelectorAll("[id]")]) each.removeAttribute("id");
      for (const each of copy.querySelectorAll("a[href]")) each.href = new URL(each.getAttribute("href"), address).href;
      return copy;
    });
  }

  /* All of the window for the tables of a page: the address says so, as it says what else is chosen. */
  const WIDE = "wide";
  const isWide = () => new URL(location.href).searchParams.has(WIDE);

  function widen(button) {
    const address = new URL(location.href);
    if (isWide()) address.searchParams.delete(WIDE);
    else address.searchParams.set(WIDE, "1");
    const { top } = button.getBoundingClientRect();
    history.replaceState(history.state, "", address);
    document.documentElement.classList.toggle("rw-wide", isWide());
    for (const each of document.querySelectorAll(".rw-widen")) each.setAttribute("aria-pressed", String(isWide()));
    scrollBy({ top: button.getBoundingClientRect().top - top, behavior: "instant" });
  }

  function widener() {
    const button = element("button", { type: "button", class: "rw-widen", "aria-pressed": String(isWide()), onclick: () => widen(button) }, "Wide");
    return button;
  }

  function setUp() {
    document.documentElement.classList.toggle("rw-wide", isWide());
    const bars = [...document.querySelectorAll(".rw-table[data-table]")]
      .filter(box => !box.previousElementSibling?.matches(".rw-bar"))
      .map(box => new Bar(new Rows(box)));
    for (const table of document.querySelectorAll(".rw-table:not([data-table]) > .rw-rows:has(> tbody.rw-row)")) {
      const box = table.parentElement;
      if (!box.previousElementSibling?.matches(".rw-bar")) box.before(element("div", { class: "rw-bar rw-bar--short" }, widener()));
    }
    for (const see of document.querySelectorAll(".rw-rows .rw-see:not(:has(+ .rw-show))")) offer(see);
    for (const bar of bars) {
      const marks = document.querySelector(`.rw-matrix[data-for="${bar.rows.name}"]`);
      if (marks) touch(marks, bar);
    }
    const reveal = (hash = location.hash) => {
      const target = hash && document.getElementById(decodeURIComponent(hash.slice(1)));
      /* the theme does not always go to an anchor in a way that makes it the `:target` */
      for (const each of document.querySelectorAll(".rw-target")) each.classList.remove("rw-target");
      if (!target) return;
      target.closest(".rw-table[data-table] .rw-row")?.classList.add("rw-target");
      for (const bar of bars) if (bar.rows.box.contains(target)) bar.reveal(target);
      const box = target.closest(".rw-table[data-table]");
      if (box) target.scrollIntoView();
      if (box?.matches(".rw-table--chosen")) keepHead(box, target);
    };
    revealed = reveal;
    if (!location.hash) return;
    reveal();
    /* the browser goes to the anchor of an address once more when everything is there */
    if (document.readyState !== "complete") addEventListener("load", () => setTimeout(() => reveal()), { once: true });
  }

  /* A box that scrolls by itself stays in view whole, with the headings of its columns; the row stands below them. */
  function keepHead(box, target) {
    const head = box.querySelector("thead").getBoundingClientRect().height;
    box.scrollIntoView({ block: "end" });
    box.scrollTop += target.getBoundingClientRect().top - box.getBoundingClientRect().top - head;
  }

  let revealed = () => {};
  addEventListener("hashchange", () => revealed());
  /* The theme follows a link to the page's own anchors without telling. */
  document.addEventListener("click", event => {
    const link = event.target instanceof Element && event.target.closest('a[href*="#"]');
    if (link) setTimeout(() => revealed(link.hash));
  });

  /* A mark of the matrix filters the table by its route and its function. */
  function touch(marks, bar) {
    marks.addEventListener("click", event => {
      const mark = event.target.closest("a.rw-mark");
      if (!mark || event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      event.stopPropagation();
      bar.choose({ routes: mark.dataset.route, function: mark.dataset.function });
      bar.bar.scrollIntoView({ block: "nearest" });
    }, true);
  }

  if (window.document$) window.document$.subscribe(setUp);
  else if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", setUp);
  else setUp();
})();
