// The script of the explorer. Pages work without it; it draws what comes into view, loads cards where they are opened,
// and keeps the filters in the address. Text is only ever put into a page as text, or as markup that our server made.
"use strict";

const ROW = 30, MARGIN = 12;
const $ = (id) => document.getElementById(id);

function element(tag, attributes, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes || {})) {
    if (value !== null && value !== undefined && value !== false) made.setAttribute(name, value);
  }
  made.append(...children);
  return made;
}

function matches(name, words) {
  const low = name.toLowerCase();
  return words.every((word) => low.includes(word));
}

const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
const many = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

// The map

class Grid {
  constructor(data, form, before) {
    this.before = before || new Map();
    this.data = data;
    this.form = form;
    this.box = $("grid");
    this.body = $("cells").tBodies[0];
    this.head = $("cells").tHead.rows[0];
    this.known = new Map(Object.entries(data.cells || {}));
    this.asked = new Set();
    this.rows = data.rows.map(([name, runs]) => [name, expanded(runs)]);
    this.box.addEventListener("scroll", () => this.draw(), { passive: true });
    window.addEventListener("resize", () => this.draw());
    form.addEventListener("input", (event) => { if (event.target.name !== "base") this.filter(true); });
    form.addEventListener("change", (event) => { if (event.target.name === "base") this.forget(); });
    form.addEventListener("submit", (event) => event.preventDefault());
    this.box.addEventListener("keydown", (event) => this.move(event));
    this.filter(false);
  }

  filter(remember) {
    const words = new FormData(this.form);
    this.show = words.get("show");
    this.base = words.get("base") || "";
    const targets = wordsOf(words.get("targets")), documents = wordsOf(words.get("documents"));
    this.columns = [...this.data.columns.keys()].filter((at) => matches(this.data.columns[at], documents));
    const wanted = new Set(this.columns);
    this.shown = this.rows.filter(([name, cells]) => matches(name, targets) &&
      (!documents.length || [...cells].some((at) => wanted.has(at))) && this.interesting(name));
    if (remember) {
      const query = new URLSearchParams([...words].filter(([, value]) => value));
      history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
    }
    this.head.replaceChildren(this.head.cells[0], ...this.columns.map((at) =>
      element("th", { scope: "col" }, element("span", { title: this.data.columns[at] }, this.data.columns[at]))));
    this.first = -1;
    this.draw();
    this.tell();
  }

  forget() {
    this.known.clear();
    this.asked.clear();
    this.filter(true);
  }

  interesting(name) {
    if (!this.show || !this.known.has(name)) return true;
    return Object.values(this.known.get(name)).some((cell) => this.fits(cell));
  }

  fits([, overrides, errors, changes]) {
    return { errors: errors.length > 0, overrides: overrides > 0, changes: changes > 0 }[this.show] ?? true;
  }

  tell() {
    const wanted = new Set(this.columns);
    let cells = 0;
    for (const [, own] of this.shown) for (const at of own) cells += wanted.has(at);
    $("summary").textContent = this.shown.length === this.rows.length && wanted.size === this.data.columns.length
      ? "" : `${many(this.shown.length, this.data.kind)} and ${many(cells, "instance")} shown`;
  }

  draw() {
    const height = Math.min(this.box.clientHeight || 600, window.innerHeight);
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - MARGIN);
    const last = Math.min(this.shown.length, first + Math.ceil(height / ROW) + 2 * MARGIN);
    if (first === this.first && last === this.last) return;
    [this.first, this.last] = [first, last];
    const rows = this.shown.slice(first, last);
    const above = this.space(first), below = this.space(this.shown.length - last);
    this.body.replaceChildren(above, ...rows.map((row, at) => this.row(row, first + at)), below);
    $("cells").setAttribute("aria-rowcount", this.shown.length + 1);
    this.learn(rows.map(([name]) => name));
  }

  space(rows) {
    const cell = element("td", { colspan: this.columns.length + 1 });
    cell.style.height = `${rows * ROW}px`;
    return element("tr", { class: "space", "aria-hidden": "true" }, cell);
  }

  row([name, cells], index) {
    const known = this.known.get(name);
    const head = element("th", { scope: "row" }, name);
    return element("tr", { "aria-rowindex": index + 2, "data-name": name }, head,
      ...this.columns.map((at) => element("td", {}, ...(cells.has(at) ? [this.cell(name, at, known)] : []))));
  }

  cell(name, at, known) {
    const column = this.data.columns[at];
    const link = element("a", { href: this.address(name, at) });
    this.paint(link, name, column, known && known[column]);
    return link;
  }

  address(name, at) {
    if (!this.data.links) return "/value?" + new URLSearchParams({ target: name, document: this.data.columns[at] });
    const own = [...this.rows.find((row) => row[0] === name)[1]];
    return this.data.links[name][own.indexOf(at)];
  }

  paint(link, name, column, cell) {
    let told = `${column} in ${name}`, text = "", kind = "";
    if (cell) {
      const [values, overrides, errors, changes] = cell;
      kind = errors.length ? "bad" : overrides > 19 ? "many" : overrides > 4 ? "some" : overrides ? "few" : "";
      text = errors.length ? "!" : overrides ? String(overrides) : "";
      told += `: ${many(values, "value")}, ${overrides} override others`;
      if (changes) { told += `, ${many(changes, "change")}`; kind += " new"; }
      if (errors.length) told += `; ${errors.join("; ")}`;
      const old = this.before.get(name)?.[column];
      if (this.before.size && JSON.stringify(old) !== JSON.stringify(cell)) { kind += " marked"; told += ", just changed"; }
      if (this.show && !this.fits(cell)) link.style.opacity = ".25";
    }
    link.className = kind.trim();
    link.setAttribute("aria-label", told);
    link.title = told;
    link.textContent = text;
  }

  async learn(names) {
    if (this.data.cells) return;
    if (this.show) names = this.shown.map(([name]) => name);  // what is not known yet may have to go
    const missing = names.filter((name) => !this.asked.has(name)).slice(0, 3);
    if (!missing.length || this.busy) return;
    this.busy = true;
    missing.forEach((name) => this.asked.add(name));
    try {
      const words = [["base", this.base], ...missing.map((name) => ["target", name])];
      const answer = await fetch("/cells?" + new URLSearchParams(words));
      const found = await answer.json();
      if (!answer.ok) throw new Error(found.error);
      for (const [name, cells] of Object.entries(found)) {
        this.known.set(name, cells);
        const row = [...this.body.rows].find((one) => one.dataset.name === name);
        if (row) row.replaceWith(this.row(this.rows.find((one) => one[0] === name), row.getAttribute("aria-rowindex") - 2));
      }
    } catch (error) {
      announce(error.message);
    }
    this.busy = false;
    if (this.show) this.filter(false);
    this.learn(this.shown.slice(this.first, this.last).map(([name]) => name));
  }

  move(event) {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const cell = event.target.closest("td");
    if (!step || !cell) return;
    let row = cell.parentElement, at = cell.cellIndex;
    do {
      at += step[1];
      if (step[0]) row = step[0] > 0 ? row.nextElementSibling : row.previousElementSibling;
      if (!row || row.className === "space" || at < 1 || at >= row.cells.length) return;
    } while (!row.cells[at].firstElementChild);
    row.cells[at].firstElementChild.focus();
    event.preventDefault();
  }
}

function expanded(runs) {
  const found = new Set();
  for (const [first, last] of runs) for (let at = first; at <= last; at++) found.add(at);
  return found;
}

// Cards and other parts that are loaded when they are opened

async function load(box) {
  const source = box.dataset.source;
  if (!source || box.dataset.loaded) return;
  box.dataset.loaded = "yes";
  box.textContent = "\u2026";
  box.innerHTML = await piece(source);  // markup of our own server, in which everything from files is escaped
}

async function piece(address) {
  try {
    return await (await fetch(address)).text();
  } catch (error) {
    announce("the server does not answer");
    return "";
  }
}

function announce(text) {
  $("live").textContent = text;
  clearTimeout(announce.timer);
  announce.timer = setTimeout(() => { $("live").textContent = ""; }, 4000);
}

document.addEventListener("toggle", (event) => {
  const box = event.target.open && event.target.querySelector(":scope > .cards");
  if (box) load(box);
}, true);

// A reference that leads to another value of the same page opens it there
document.addEventListener("click", (event) => {
  const link = event.target.closest("a[data-follow]");
  const there = link && $(link.dataset.follow);
  if (!there) return;
  event.preventDefault();
  there.querySelector("details")?.setAttribute("open", "");
  there.closest("section > details")?.setAttribute("open", "");
  history.pushState(null, "", `#${there.id}`);
  there.scrollIntoView({ block: "center" });
  (there.querySelector("summary") || there).focus();
});

// What would happen, writing, and taking back: the answer appears below the form
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form.wish, form.write");
  if (!form) return;
  event.preventDefault();
  const words = new URLSearchParams(new FormData(form)), button = form.querySelector("button");
  button.disabled = true;
  const post = form.method === "post";
  try {
    const answer = await fetch(post ? form.action : `${form.action}?${words}`, post ? { method: "POST", body: words } : {});
    const box = element("div", {});
    box.innerHTML = await answer.text();  // markup of our own server
    const old = form.nextElementSibling;
    if (old && old.classList.contains("answer")) old.remove();
    box.className = "answer";
    (post ? form.closest(".outcome") || form : form)[post ? "replaceWith" : "after"](box);
    settle(box);
  } catch (error) {
    announce("the server does not answer");
  }
  button.disabled = false;
});

// Places that the server has not tried yet, one after the other
async function settle(box) {
  for (let next; box.isConnected && (next = box.querySelector(".pending"));) {
    const text = await piece(next.dataset.source);
    next.classList.remove("pending");
    if (text) next.outerHTML = text;  // markup of our own server
  }
}

function find(box) {
  const words = wordsOf(box.value);
  for (const line of document.querySelectorAll(".lines > *")) {
    line.hidden = !matches(`${line.dataset.key} ${shownText(line)}`, words);
  }
}

// Live: a saved file updates the page, and what changed on it is marked

function listen() {
  let seen = Number(document.body.dataset.state);
  const events = new EventSource("/events");
  events.onmessage = async (event) => {
    const { state, files } = JSON.parse(event.data);
    if (state === seen) return;
    seen = state;
    const count = await update();
    announce(`${files.join(", ") || "files"} changed: ${count ? `${many(count, "line")} of this page differ` : "nothing on this page differs"}`);
  };
  addEventListener("pagehide", () => events.close());
}

async function update(quiet) {
  const text = await piece(location.pathname + location.search);
  if (!text) return 0;
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  const before = new Map(keyed(document).map((line) => [line.dataset.key, line]));
  let count = 0;
  for (const line of keyed(fresh)) {
    const old = before.get(line.dataset.key);
    if (!quiet && (!old || shownText(old) !== shownText(line))) { line.classList.add("changed"); count += 1; }
    if (old && old.querySelector(":scope > details[open]")) line.querySelector("details")?.setAttribute("open", "");
  }
  const words = $("find") ? $("find").value : "", known = window.grid && window.grid.known;
  const answers = [...document.querySelectorAll(".answer")].map((box) => [box.closest("[data-key]")?.dataset.key, box]);
  document.querySelector("main").replaceChildren(...fresh.childNodes);
  if ($("find")) $("find").value = words;
  start(known);
  for (const box of document.querySelectorAll("details[open] > .cards")) {
    await load(box);
    for (const [key, answer] of answers) if (key === box.closest("[data-key]")?.dataset.key) box.append(answer);
  }
  return count;
}

const keyed = (root) => [...root.querySelectorAll("[data-key]")];
const shownText = (line) => ["summary", ".origin"].map((part) => line.querySelector(part)?.textContent).join("") || line.textContent;

// The fate of lines, which the server counts a while at a time
async function more() {
  const box = $("text");
  if (!box && document.querySelector("p[data-more]") && document.body.hasAttribute("data-live")) {
    setTimeout(() => update(true), 2000);
  }
  if (!box || !box.dataset.more) return;
  const opened = [...box.querySelectorAll("details[open]")].map((one) => one.closest(".row").id);
  box.outerHTML = await piece(box.dataset.more);  // markup of our own server
  for (const id of opened) $(id)?.querySelector("details")?.setAttribute("open", "");
  more();
}

function start(known) {
  more();
  const data = $("map");
  if (data) window.grid = new Grid(JSON.parse(data.textContent), $("filters"), known);
  const box = $("find");
  if (box) {
    box.addEventListener("input", () => find(box));
    if (box.value) find(box);
  }
  const there = location.hash.startsWith("#p-") && $(decodeURIComponent(location.hash.slice(1)));
  if (there) there.querySelector("details")?.setAttribute("open", "");
}

start();
if (document.body.hasAttribute("data-live")) listen();
