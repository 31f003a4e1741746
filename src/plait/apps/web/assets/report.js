// Searching and folding in a report.
"use strict";
const box = document.querySelector("input"), parts = [...document.querySelectorAll("main > details")];
const first = new Map(parts.map((part) => [part, part.open]));
box.addEventListener("input", () => {
  const word = box.value.toLowerCase();
  for (const row of document.querySelectorAll("tbody tr, li")) {
    row.hidden = !row.textContent.toLowerCase().includes(word);
  }
  for (const part of parts) {
    part.hidden = !part.textContent.toLowerCase().includes(word);
    part.open = Boolean(word) || first.get(part);
  }
});
for (const button of document.querySelectorAll("button")) {
  button.addEventListener("click", () => parts.forEach((part) => { part.open = button.dataset.open === "yes"; }));
}
addEventListener("beforeprint", () => parts.forEach((part) => { part.open = true; }));
