// The page: files as tabs, how they are read, and what plait says about them. What is shown is in the address.
import { Editor } from "./editor.js";
import { Engine, newest } from "./engine.js";
import { Result } from "./result.js";
import { packed, safe, unpacked } from "./state.js";

const $ = (id) => document.getElementById(id);
const FIRST = "start";
$("controls").hidden = $("panes").hidden = false;  // without this script they would be empty
const engine = new Engine();
const editor = new Editor($("text"), $("gutter"), typed, (line) => result.from(openFile(), line));
const result = new Result({ result: $("result"), problems: $("problems"), card: $("card") },
  (address) => engine.ask("piece", address).catch((error) => error.message), go, point);
let state = { front: "layers", profile: "", target: "", files: [] }, open = 0, examples = {}, fronts = {};
let problems = [], pointed = null, started = false;  // the first answer also takes the time of loading

// What is shown

function openFile() {
  return state.files[open]?.[0] || "";
}

function option(value, text) {
  const made = document.createElement("option");
  made.value = value;
  made.textContent = text;
  return made;
}

function drawTabs() {
  open = Math.max(0, Math.min(open, state.files.length - 1));
  $("tabs").replaceChildren(...state.files.map(([name], at) => {
    const tab = document.createElement("button");
    tab.type = "button";
    tab.role = "tab";
    tab.id = `tab-${at}`;
    tab.textContent = name;
    tab.tabIndex = at === open ? 0 : -1;
    tab.setAttribute("aria-selected", at === open);
    tab.setAttribute("aria-controls", "panel");
    tab.addEventListener("click", () => choose(at));
    return tab;
  }));
  $("panel").setAttribute("aria-labelledby", `tab-${open}`);
  $(`tab-${open}`)?.scrollIntoView({ block: "nearest", inline: "nearest" });
  $("name").value = openFile();
  $("lower").disabled = open === 0;
  $("higher").disabled = open >= state.files.length - 1;
  $("remove").disabled = state.files.length < 2;
  editor.show(state.files[open]?.[1] ?? "");
  drawMarks();
}

function drawMarks() {
  const marks = new Map(), broken = new Set();
  const put = (place, word) => {
    if (word === "wrong") broken.add(place.file);
    if (place.file === openFile()) marks.set(place.line, new Set([...marks.get(place.line) || [], word]));
  };
  for (const place of result.places()) put(place, "decides");
  for (const place of problems.flatMap((one) => one.severity === "error" ? one.places : [])) put(place, "wrong");
  if (pointed) put(pointed, "pointed");
  editor.mark(marks);
  for (const tab of $("tabs").children) {
    tab.classList.toggle("wrong", broken.has(tab.textContent));
    tab.classList.toggle("pointed", pointed?.file === tab.textContent);
  }
}

function drawControls() {
  $("front").value = state.front;
  $("profile").value = state.profile;
  $("profiles").hidden = !fronts[state.front]?.profiles;
  $("order").textContent = fronts[state.front]?.order || "";
  $("lower").hidden = $("higher").hidden = !fronts[state.front]?.order;
}

function choose(at, focus = true) {
  open = at;
  drawTabs();
  if (focus) $(`tab-${at}`).focus();
}

function go(place) {
  const at = state.files.findIndex(([name]) => name === place.file);
  if (at < 0) return announce(`${place.file} is not one of the files`);
  choose(at, false);
  editor.go(place.line);
}

function point(place) {
  pointed = place;
  if (place?.file === openFile()) editor.reveal(place.line);
  drawMarks();
}

function announce(text) {
  $("live").textContent = text;
  clearTimeout(announce.timer);
  announce.timer = setTimeout(() => { $("live").textContent = ""; }, 4000);
}

// Asking

const ask = newest(async ({ began, ...words }, outdated) => {
  try {
    const answer = await engine.ask("show", words);
    if (outdated()) return;
    draw(answer, performance.now() - began);
  } catch (error) {
    $("status").textContent = `plait stopped: ${error.message}`;
  }
});

function draw(answer, took) {
  problems = answer.problems;
  result.show(answer);
  $("targets").hidden = answer.targets.length < 2;
  $("target").replaceChildren(...answer.targets.map((name) => option(name, name)));
  $("target").value = answer.target;
  const count = result.places().length, errors = problems.filter((one) => one.severity === "error").length;
  $("status").textContent = answer.needs ? `needs a file ${answer.needs}: add it with +`
    : !answer.targets.length && !errors ? "plait finds nothing to merge in these files"
    : [many(count, "value"), ...(errors ? [many(errors, "error")] : []), ...(started ? [`${Math.max(1, Math.round(took))} ms`] : [])].join(", ");
  started = true;
  document.body.dataset.answers = Number(document.body.dataset.answers || 0) + 1;
  document.body.dataset.took = took;
  drawMarks();
}

const many = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;

function changed(address = true) {
  ask({ ...state, began: performance.now() });
  if (address) remember();
}

// The address

let remembering = 0;

function remember() {
  clearTimeout(remembering);
  remembering = setTimeout(async () => history.replaceState(null, "", `#${await packed(state)}`), 150);
  $("example").value = "";
}

async function fromAddress() {
  clearTimeout(remembering);
  const words = new URLSearchParams(location.hash.slice(1));
  try {
    state = words.has("state") ? await unpacked(words.get("state")) : example(words.get("example") || FIRST);
  } catch (error) {
    announce("this address is not complete");
    state = example(FIRST);
  }
  if (!fronts[state.front]) state.front = "layers";
  $("example").value = words.has("state") ? "" : words.get("example") || FIRST;
  open = Math.max(0, state.files.length - 1);
  drawControls();
  drawTabs();
  changed(false);
}

function example(name) {
  const { front, profile, target, files } = examples[name] || examples[FIRST];
  return { front, profile, target, files: files.map((pair) => [...pair]) };
}

// What people do

function typed(text) {
  state.files[open][1] = text;
  changed();
}

function swap(other) {
  [state.files[open], state.files[other]] = [state.files[other], state.files[open]];
  open = other;
  drawTabs();
  changed();
}

$("tabs").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (step) choose((open + step + state.files.length) % state.files.length);
});
$("add").addEventListener("click", () => {
  const names = new Set(state.files.map(([name]) => name));
  let number = state.files.length + 1;
  while (names.has(`layer${number}.yaml`)) number += 1;
  state.files.push([`layer${number}.yaml`, ""]);
  choose(state.files.length - 1, false);
  $("name").select();
  $("name").focus();
  changed();
});
$("name").addEventListener("change", () => {
  const name = safe($("name").value);
  if (!name || state.files.some(([other], at) => other === name && at !== open)) {
    announce(name ? `there is a file ${name} already` : "a file needs a name");
  } else {
    state.files[open][0] = name;
    changed();
  }
  drawTabs();
});
$("remove").addEventListener("click", () => {
  state.files.splice(open, 1);
  drawTabs();
  changed();
});
$("lower").addEventListener("click", () => swap(open - 1));
$("higher").addEventListener("click", () => swap(open + 1));
for (const name of ["front", "profile", "target"]) {
  $(name).addEventListener("change", () => {
    state[name] = $(name).value;
    drawControls();
    changed();
  });
}
$("example").addEventListener("change", () => { location.hash = `example=${$("example").value}`; });
$("share").addEventListener("click", async () => {
  clearTimeout(remembering);
  if (!$("example").value) history.replaceState(null, "", `#${await packed(state)}`);
  await navigator.clipboard.writeText(location.href).then(() => announce("the link is copied"), () => announce("copy the address of this page"));
});
$("controls").addEventListener("submit", (event) => event.preventDefault());
addEventListener("hashchange", fromAddress);

// The beginning

async function start() {
  const told = await (await fetch(new URL("examples.json", import.meta.url))).json();
  ({ examples, fronts } = told);
  const groups = Map.groupBy(Object.entries(examples), ([, one]) => one.group);
  $("example").replaceChildren(option("", "your own files"), ...[...groups].map(([group, rows]) => {
    const made = document.createElement("optgroup");
    made.label = group;
    made.append(...rows.map(([name, one]) => option(name, one.title)));
    return made;
  }));
  $("front").replaceChildren(...Object.entries(fronts).map(([name, one]) => option(name, one.title)));
  $("profile").replaceChildren(option("", "the tool that the names fit"), option("none", "plait"), ...told.profiles.map((name) => option(name, name)));
  await fromAddress();
}

start().then(() => navigator.serviceWorker?.register(new URL("offline.js", import.meta.url)).catch(() => {}));
