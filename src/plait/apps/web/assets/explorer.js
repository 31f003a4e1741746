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
const differing = (number, noun) => number ? `${many(number, noun)} on this page differ${number === 1 ? "s" : ""}` : "nothing on this page differs";
const many = (number, noun) => `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;

// The map. A row is drawn once and then repainted in place, so that the focus stays where it is.

class Grid {
  constructor(data, form) {
    this.form = form;
    this.box = $("grid");
    this.body = $("cells").tBodies[0];
    this.head = $("cells").tHead.rows[0];
    this.known = new Map();
    this.drawn = new Map();
    this.turn = 0;
    this.box.addEventListener("scroll", () => this.draw(), { passive: true });
    form.addEventListener("input", (event) => { if (event.target.name !== "base") this.filter(true); });
    form.addEventListener("change", (event) => { if (event.target.name === "base") this.forget(); });
    form.addEventListener("submit", (event) => event.preventDefault());
    this.box.addEventListener("keydown", (event) => this.move(event));
    this.renew(data);
  }

  // The cells of another state of the repository: what was known is shown until the new is known, then compared
  renew(data) {
    const old = new Map(this.data?.rows), same = String(this.data?.columns) === String(data.columns);
    for (const name of [...this.drawn.keys()]) {
      if (!same || String(old.get(name)) !== String(data.rows.find((row) => row[0] === name)?.[1])) this.drawn.delete(name);
    }
    this.data = data;
    this.rows = data.rows.map(([name, runs]) => [name, expanded(runs)]);
    this.own = new Map(this.rows);
    this.before = new Map([...(this.before || []), ...this.known]);
    this.reset(Object.entries(data.cells || {}));
    this.filter(false);
  }

  reset(known) {
    this.turn += 1;
    this.busy = false;
    this.known = new Map(known);
    this.asked = new Set(this.known.keys());
  }

  // Another base revision: nothing that was known holds any more
  forget() {
    this.before.clear();
    this.trouble = "";
    this.reset([]);
    this.filter(true);
  }

  filter(remember) {
    const words = new FormData(this.form);
    this.show = words.get("show");
    this.base = words.get("base") || "";
    const targets = wordsOf(words.get("targets")), documents = wordsOf(words.get("documents"));
    const columns = [...this.data.columns.keys()].filter((at) => matches(this.data.columns[at], documents));
    if (columns.join() !== (this.columns || []).join()) this.drawn.clear();
    this.columns = columns;
    const wanted = new Set(columns);
    this.shown = this.rows.filter(([name, cells]) => matches(name, targets) &&
      (!documents.length || [...cells].some((at) => wanted.has(at))) && this.interesting(name));
    if (remember) {
      const query = new URLSearchParams([...words].filter(([, value]) => value));
      history.replaceState(null, "", query.size ? `?${query}` : location.pathname);
    }
    if (!this.drawn.size) {
      this.head.replaceChildren(this.head.cells[0], ...columns.map((at) =>
        element("th", { scope: "col" }, element("span", { title: this.data.columns[at] }, this.data.columns[at]))));
    }
    this.first = -1;
    this.draw();
    for (const name of this.drawn.keys()) this.repaint(name);
    this.count();
  }

  interesting(name) {
    if (!this.show || !this.known.has(name)) return true;
    return Object.values(this.known.get(name)).some((cell) => this.fits(cell));
  }

  fits([, overrides, errors, changes]) {
    return { errors: errors.length > 0, overrides: overrides > 0, changes: changes > 0 }[this.show] ?? true;
  }

  count() {
    const wanted = new Set(this.columns);
    let cells = 0;
    for (const [, own] of this.shown) for (const at of own) cells += wanted.has(at);
    $("summary").classList.toggle("guard", Boolean(this.trouble));
    const all = this.shown.length === this.rows.length && wanted.size === this.data.columns.length;
    $("summary").textContent = this.trouble || (all ? "" : `${many(this.shown.length, this.data.kind)} and ${many(cells, "instance")} shown`);
  }

  draw() {
    const height = Math.min(this.box.clientHeight || 600, window.innerHeight);
    const first = Math.max(0, Math.floor(this.box.scrollTop / ROW) - MARGIN);
    const last = Math.min(this.shown.length, first + Math.ceil(height / ROW) + 2 * MARGIN);
    if (first === this.first && last === this.last) return;
    [this.first, this.last] = [first, last];
    const names = this.shown.slice(first, last).map(([name]) => name);
    const rows = new Map(names.map((name) => [name, this.drawn.get(name) || this.row(name)]));
    names.forEach((name, at) => rows.get(name).setAttribute("aria-rowindex", first + at + 2));
    const focus = this.focused();
    this.drawn = rows;
    arrange(this.body, [this.space(first), ...rows.values(), this.space(this.shown.length - last)]);
    if (focus) this.focus(...focus);
    $("cells").setAttribute("aria-rowcount", this.shown.length + 1);
    this.learn();
  }

  // The cell that has the focus, or had it before its row went out of view: its row and its column
  focused() {
    const cell = document.activeElement;
    if (cell === this.box) return this.lastFocus;
    if (!this.body.contains(cell) || cell.tagName !== "A") return null;
    return [cell.closest("tr").dataset.name, cell.dataset.column || this.data.columns[cell.closest("td").cellIndex - 1]];
  }

  focus(name, column) {
    const cell = [...this.drawn.get(name)?.querySelectorAll("td a") || []].find((one) => one.dataset.column === column);
    this.lastFocus = cell ? null : [name, column];
    if (document.activeElement !== (cell || this.box)) (cell || this.box).focus({ preventScroll: true });
    return cell;
  }

  space(rows) {
    const cell = element("td", { colspan: this.columns.length + 1 });
    cell.style.height = `${rows * ROW}px`;
    return element("tr", { class: "space", "aria-hidden": "true" }, cell);
  }

  row(name) {
    const cells = this.own.get(name);
    const made = element("tr", { "data-name": name }, element("th", { scope: "row" }, this.title(name)),
      ...this.columns.map((at) => element("td", {}, ...(cells.has(at) ? [this.cell(name, at)] : []))));
    this.repaint(name, made);
    return made;
  }

  title(name) {
    return this.data.links ? name : element("a", { href: "/layers?" + new URLSearchParams({ target: name }) }, name);
  }

  cell(name, at) {
    return element("a", { href: this.address(name, at), "data-column": this.data.columns[at] });
  }

  address(name, at) {
    const column = this.data.columns[at], document = this.data.labels[name]?.[column] ?? column;
    if (!this.data.links) return "/value?" + new URLSearchParams({ target: name, document });
    return this.data.links[name][[...this.own.get(name)].indexOf(at)];
  }

  repaint(name, row = this.drawn.get(name)) {
    const known = this.known.get(name) || this.before.get(name);
    for (const link of row ? row.querySelectorAll("td a") : []) {
      this.paint(link, name, link.dataset.column, known?.[link.dataset.column]);
    }
  }

  paint(link, name, column, cell) {
    let about = `${column} in ${name}`, text = "", kind = "unknown";
    if (cell) {
      const [values, overrides, errors, changes] = cell;
      kind = errors.length ? "bad" : overrides > 19 ? "many" : overrides > 4 ? "some" : overrides ? "few" : "";
      text = errors.length ? "!" : overrides ? String(overrides) : "";
      about += `: ${many(values, "value")}, ${overrides} override others`;
      if (changes) { about += `, ${many(changes, "change")}`; kind += " new"; }
      if (errors.length) about += `; ${errors.join("; ")}`;
      if (this.differs(name, column)) { kind += " marked"; about += ", just changed"; }
      if (this.show && !this.fits(cell)) kind += " faint";
    }
    link.className = kind.trim();
    link.setAttribute("aria-label", about);
    link.title = about;
    link.textContent = text;
  }

  // Whether a cell is another one than before a file was saved
  differs(name, column) {
    if (!this.known.has(name) || !this.before.has(name)) return false;
    return JSON.stringify(this.before.get(name)[column]) !== JSON.stringify(this.known.get(name)[column]);
  }

  async learn() {
    if (this.data.cells) return;
    const names = this.show ? this.shown.map(([name]) => name) : [...this.drawn.keys()];
    const missing = names.filter((name) => !this.asked.has(name)).slice(0, 3);
    if (this.busy) return;
    if (!missing.length) return this.report();
    const turn = this.turn;
    this.busy = true;
    missing.forEach((name) => this.asked.add(name));
    const found = await this.ask(missing);
    if (turn !== this.turn) return;  // the answer of a state that has passed
    this.busy = false;
    for (const [name, cells] of Object.entries(found)) {
      this.known.set(name, cells);
      this.repaint(name);
    }
    if (this.show) this.filter(false);
    this.learn();
  }

  // Say how many cells differ, when all that are visible are known
  report() {
    if (this.news) announce(`${this.news}: ${differing(this.body.querySelectorAll("a.marked").length, "cell")}`);
    this.news = "";
  }

  async ask(names) {
    try {
      const answer = await fetch("/cells?" + new URLSearchParams([["base", this.base], ...names.map((name) => ["target", name])]));
      const found = await answer.json();
      this.trouble = found.error;
      this.count();
      return found.cells;
    } catch (error) {
      announce(error.message);
    }
    return {};
  }

  move(event) {
    const step = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] }[event.key];
    const focus = this.focused();
    if (!step || !focus) return;
    event.preventDefault();
    const there = this.next(...focus, ...step);
    if (!there) return;
    const [at, column] = there;
    if (at < this.first || at >= this.last) this.box.scrollTop = at * ROW;
    this.draw();
    this.focus(this.shown[at][0], column)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // The next cell in a direction: the number of its row and its column
  next(name, column, down, right) {
    let at = this.shown.findIndex((row) => row[0] === name), side = this.columns.indexOf(this.data.columns.indexOf(column));
    do {
      at += down;
      side += right;
      if (!this.shown[at] || this.columns[side] === undefined) return null;
    } while (!this.shown[at][1].has(this.columns[side]));
    return [at, this.data.columns[this.columns[side]]];
  }
}

function expanded(runs) {
  const found = new Set();
  for (const [first, last] of runs) for (let at = first; at <= last; at++) found.add(at);
  return found;
}

// Changing what is on a page without taking away the element that somebody is using

// Make some nodes the children of a parent; those that are already there are not moved
function arrange(parent, nodes) {
  const wanted = new Set(nodes);
  for (const child of [...parent.childNodes]) if (!wanted.has(child)) child.remove();
  nodes.forEach((node, at) => { if (parent.childNodes[at] !== node) parent.insertBefore(node, parent.childNodes[at] || null); });
}

const OF_THE_READER = new Set(["open", "hidden", "data-loaded"]);
const nameOf = (node) => node.id || node.dataset?.key || node.dataset?.part || "";
const alike = (one, other) => one.nodeName === other.nodeName && nameOf(one) === nameOf(other);
const isAnswer = (node) => node.nodeType === Node.ELEMENT_NODE && node.classList.contains("answer");

// Turn an element into another one, keeping every part of it that both have: with the focus, what was typed and opened
function morph(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  morphAttributes(old, fresh);
  if (old.hasAttribute("data-own") || old.hasAttribute("data-loaded")) return;
  morphChildren(old, fresh);
}

function morphAttributes(old, fresh) {
  for (const { name } of [...old.attributes]) {
    if (!OF_THE_READER.has(name) && !fresh.hasAttribute(name)) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (!OF_THE_READER.has(name) && old.getAttribute(name) !== value) old.setAttribute(name, value);
  }
}

function morphChildren(old, fresh) {
  const wanted = new Set([...fresh.childNodes].map(nameOf));
  for (const child of [...old.childNodes]) if (nameOf(child) && !wanted.has(nameOf(child))) child.remove();
  const named = new Map([...old.childNodes].map((child) => [nameOf(child), child]));
  let at = old.firstChild;
  const skipped = () => { while (at && isAnswer(at)) at = at.nextSibling; return at; };
  for (const child of [...fresh.childNodes]) {
    skipped();
    const same = nameOf(child) ? named.get(nameOf(child)) : at;
    if (!same || !alike(same, child)) {
      old.insertBefore(child, at);
      continue;
    }
    // What has no name and is gone before it is taken away: an element that is moved would lose the focus
    while (at && at !== same && !nameOf(at) && !isAnswer(at) && at.compareDocumentPosition(same) & 4) {
      const next = at.nextSibling;
      at.remove();
      at = next;
    }
    if (same === at) at = at.nextSibling;
    else old.insertBefore(same, at);
    morph(same, child);
  }
  while (skipped()) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

// Cards and other parts that are loaded when they are opened

// Where the content of a box is asked for; nowhere if the page brought it
function sourceOf(box) {
  if (box.dataset.source) return box.dataset.source;
  const cards = box.closest("[data-cards]")?.dataset.cards, line = box.closest("[data-key]");
  return cards && line && (box.dataset.loaded || !box.firstElementChild) ? `${cards}&path=${encodeURIComponent(line.dataset.key)}` : "";
}

async function load(box, again) {
  const source = sourceOf(box);
  if (!source || (box.dataset.loaded && !again)) return;
  if (!box.dataset.loaded) box.textContent = "\u2026";
  box.dataset.loaded = "yes";
  fill(box, await piece(source));
  if (box.querySelector("[data-more]")) setTimeout(() => box.isConnected && load(box, true), 300);
}

// Put markup of our own server into a box; in it, everything from files is escaped
function fill(box, text) {
  const fresh = document.createElement("div");
  fresh.innerHTML = text;
  morphChildren(box, fresh);
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

document.addEventListener("toggle", (event) => loadOpened(event.target), true);

function loadOpened(details) {
  const box = details.open && details.querySelector(":scope > [data-source], :scope > .cards");
  if (box) load(box);
}

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

// Pointing at a line of a rendered document lights up the lines that it came from, and the other way round
function light(event) {
  const line = event.target.closest?.("[data-from], [data-at]");
  if (!line) return;
  const from = new Set((line.dataset.from || line.dataset.at).split(" "));
  const other = line.dataset.from ? "[data-at]" : "[data-from]";
  document.querySelectorAll(".lit").forEach((one) => one.classList.remove("lit"));
  line.classList.add("lit");
  const shown = new Set();
  for (const one of document.querySelectorAll(other)) {
    if (!(one.dataset.at || one.dataset.from).split(" ").some((mark) => from.has(mark))) continue;
    one.classList.add("lit");
    const box = one.closest(".scroll");
    if (box && !shown.has(box)) box.scrollTop += one.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
    shown.add(box);
  }
}
document.addEventListener("pointerover", light);
document.addEventListener("focusin", light);

// What would happen, writing, and taking back: the answer appears below the form, or in the place of a form that is done
document.addEventListener("submit", async (event) => {
  const form = event.target.closest("form.wish, form.write");
  if (!form) return;
  event.preventDefault();
  if (form.getAttribute("aria-busy")) return;
  form.setAttribute("aria-busy", "true");
  const words = new URLSearchParams(new FormData(form)), post = form.method === "post";
  try {
    const answer = await fetch(post ? form.action : `${form.action}?${words}`, post ? { method: "POST", body: words } : {});
    const box = element("div", { class: "answer", tabindex: "-1" });
    fill(box, await answer.text());
    if (isAnswer(form.nextElementSibling || form)) form.nextElementSibling.remove();
    if (post) (form.closest(".answer") || form).replaceWith(box);
    else form.after(box);
    if (post) (box.querySelector("button") || box).focus();
    settle(box);
  } catch (error) {
    announce("the server does not answer");
  }
  form.removeAttribute("aria-busy");
});

// Places that the server has not tried yet, one after the other; each goes where it belongs among the others
async function settle(box) {
  for (let next; box.isConnected && (next = box.querySelector(".pending"));) {
    const text = await piece(next.dataset.trial);
    next.classList.remove("pending");
    const fresh = element("ol", {});
    fresh.innerHTML = text;  // markup of our own server
    if (fresh.firstElementChild) morph(next, fresh.firstElementChild);
    const rows = [...next.parentElement.children];
    arrange(next.parentElement, rows.sort((one, other) => one.dataset.rank < other.dataset.rank ? -1 : 1));
  }
}

document.addEventListener("input", (event) => { if (event.target.id === "find") find(event.target); });

// Keys that work on every page: `/` searches, on the page or everywhere, and `?` says which keys there are
const KEYS = { "/": "search on this page, or everywhere", "?": "these keys", "arrow keys": "move between the cells of the map", "Escape": "close" };

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, textarea, select")) return;
  if (event.key === "/") seek(event);
  if (event.key === "?") help();
});

function seek(event) {
  const field = $("find") || $("find-all") || document.querySelector("main input[type=search]");
  if (field) {
    event.preventDefault();
    field.focus();
    field.select();
  } else if (document.body.hasAttribute("data-live")) {
    event.preventDefault();
    location.href = "/search";
  }
}

function help() {
  if ($("keys")) return;
  const rows = Object.entries(KEYS).flatMap(([key, text]) => [element("dt", {}, element("kbd", {}, key)), element("dd", {}, text)]);
  const close = element("button", { type: "button" }, "Close");
  const box = element("dialog", { id: "keys", "aria-label": "Keys" }, element("h2", {}, "Keys"), element("dl", {}, ...rows), close);
  close.addEventListener("click", () => box.close());
  box.addEventListener("close", () => box.remove());
  document.body.append(box);
  box.showModal();
}
window.addEventListener("resize", () => window.grid?.draw());

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
    const news = `${files.join(", ") || "files"} changed`, count = await update();
    if (window.grid) Object.assign(window.grid, { news }).learn();
    else announce(`${news}: ${differing(count, "line")}`);
  };
  addEventListener("pagehide", () => events.close());
}

async function update(quiet) {
  const turn = update.turn = (update.turn || 0) + 1;
  const text = await piece(location.pathname + location.search);
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("main");
  if (!fresh || turn !== update.turn) return 0;
  const count = quiet ? 0 : mark(fresh);
  morph(document.querySelector("main"), fresh);
  start();
  for (const box of document.querySelectorAll("[data-loaded]")) {
    if (box.closest("details")?.open ?? true) await load(box, true);
    else delete box.dataset.loaded;
  }
  return count;
}

// Mark the lines that differ from those of the page; how many these are
function mark(fresh) {
  const before = new Map(keyed(document).map((line) => [line.dataset.key, shownText(line)]));
  const changed = keyed(fresh).filter((line) => before.get(line.dataset.key) !== shownText(line));
  changed.forEach((line) => line.classList.add("changed"));
  return changed.length;
}

const keyed = (root) => [...root.querySelectorAll("[data-key]")];
const shownText = (line) => ["summary", ".origin"].map((part) => line.querySelector(part)?.textContent).join("") || line.textContent;

// The fate of lines and the drawing of files, which the server counts a while at a time
async function more() {
  if (more.busy || !document.body.hasAttribute("data-live")) return;
  more.busy = true;
  for (let box; (box = $("text")) && box.dataset.more;) {
    const fresh = element("div", {});
    fresh.innerHTML = await piece(box.dataset.more);  // markup of our own server
    if (!fresh.firstElementChild) break;
    if (box.isConnected) morph(box, fresh.firstElementChild);
  }
  more.busy = false;
  if ([...document.querySelectorAll("p[data-more]")].some((one) => !one.closest("[data-loaded]"))) setTimeout(() => update(true), 1000);
}

// What a page does by itself, when it is opened and when it was updated
function start() {
  more();
  document.querySelectorAll("[data-now]").forEach((box) => load(box));
  const map = $("map");
  if (map && window.grid?.box === $("grid")) window.grid.renew(JSON.parse(map.textContent));
  else window.grid = map && new Grid(JSON.parse(map.textContent), $("filters"));
  if ($("find")?.value) find($("find"));
  const there = location.hash.startsWith("#p-") && $(decodeURIComponent(location.hash.slice(1)));
  if (there) there.querySelector("details")?.setAttribute("open", "");
}

start();
document.querySelectorAll("details[open]").forEach(loadOpened); // opened before this script was there
if (document.body.hasAttribute("data-live")) listen();
