// The answer: lines with their places, the layers of the value under the pointer, and what is wrong.

export class Result {
  constructor(boxes, piece, go, point) {
    Object.assign(this, boxes);
    this.piece = piece;
    this.go = go;
    this.point = point;
    this.before = new Map();
    this.result.addEventListener("toggle", (event) => this.opened(event.target), true);
    this.result.addEventListener("pointerover", (event) => event.pointerType === "mouse" && this.hovered(event.target.closest(".line[data-key]")));
    this.result.addEventListener("pointerleave", () => this.left());
    this.result.addEventListener("focusin", (event) => this.lit(event.target.closest(".line[data-key]")));
    for (const box of [this.result, this.card, this.problems]) box.addEventListener("click", (event) => this.clicked(event));
    document.addEventListener("keydown", (event) => { if (event.key === "Escape") this.left(); });
  }

  // A new answer: what was open stays open, and lines that differ are marked
  show(answer) {
    const open = new Set([...this.result.querySelectorAll(".line > details[open]")].map((one) => one.parentElement.dataset.key));
    this.wrong(answer.problems);
    if (answer.result || !answer.problems.length) {
      this.result.innerHTML = answer.result; // markup of our own Python, in which everything from files is escaped
      this.result.classList.remove("old");
      this.compare();
    } else {
      this.result.classList.add("old");
    }
    for (const line of this.lines()) if (open.has(line.dataset.key)) line.querySelector("details")?.setAttribute("open", "");
    this.left();
  }

  lines() {
    return [...this.result.querySelectorAll(".line[data-key]")];
  }

  compare() {
    const before = this.before;
    this.before = new Map(this.lines().map((line) => [line.dataset.key, line.textContent]));
    if (!before.size) return;
    for (const line of this.lines()) line.classList.toggle("changed", before.get(line.dataset.key) !== line.textContent);
  }

  wrong(problems) {
    this.problems.replaceChildren(...problems.map((one) => {
      const box = document.createElement("section");
      box.className = `problems ${one.severity}`;
      box.innerHTML = one.text;
      for (const { file, line } of one.places) {
        const link = document.createElement("a");
        link.href = `#${file}:${line}`;
        link.className = "place";
        link.textContent = `Go to ${file}:${line}`;
        box.append(link, " ");
      }
      return box;
    }));
  }

  async opened(details) {
    if (details.open) this.card.hidden = true;  // the same is open below its line
    const box = details.open && details.querySelector(":scope > .cards, :scope > [data-source]");
    if (box && !box.dataset.loaded) {
      box.dataset.loaded = "yes";
      box.innerHTML = await this.piece(box.dataset.source || this.address(details.parentElement));
    }
  }

  address(line) {
    return `${line.closest("[data-cards]").dataset.cards}&path=${encodeURIComponent(line.dataset.key)}`;
  }

  // The layers of the value under the pointer
  async hovered(line) {
    if (!line || line === this.over) return;
    this.over = line;
    this.lit(line);
    this.card.hidden = true;
    if (!line.querySelector("details") || line.querySelector("details").open) return;
    const text = await this.piece(this.address(line));
    if (this.over !== line || !line.isConnected || line.querySelector("details").open) return;
    this.card.innerHTML = text; // as above
    this.card.hidden = false;
    const at = line.getBoundingClientRect(), room = this.card.offsetParent.getBoundingClientRect();
    const below = at.bottom + this.card.offsetHeight < innerHeight || at.top < this.card.offsetHeight;
    this.card.style.top = `${(below ? at.bottom : at.top - this.card.offsetHeight) - room.top}px`;
  }

  lit(line) {
    for (const one of this.result.querySelectorAll(".lit")) one.classList.remove("lit");
    line?.classList.add("lit");
    this.point(line ? placeOf(line.querySelector(":scope > .origin .place")) : null);
  }

  left() {
    this.over = null;
    this.card.hidden = true;
    this.lit(null);
  }

  // Light up the values that a line of a file decides
  from(file, line) {
    for (const one of this.lines()) {
      const place = placeOf(one.querySelector(":scope > .origin .place"));
      one.classList.toggle("lit", Boolean(place) && place.file === file && place.line === line);
    }
  }

  // The lines that decide values, by file
  places() {
    return this.lines().map((line) => placeOf(line.querySelector(":scope > .origin .place"))).filter(Boolean);
  }

  clicked(event) {
    const place = event.target.closest("a.place"), follow = event.target.closest("a[data-follow]");
    if (!place && !follow) return;
    event.preventDefault();
    if (place) return this.go(placeOf(place));
    const there = document.getElementById(follow.dataset.follow);
    there?.querySelector("details")?.setAttribute("open", "");
    there?.scrollIntoView({ block: "center" });
    there?.querySelector("summary")?.focus();
  }
}

function placeOf(link) {
  const found = link?.getAttribute("href")?.match(/^#(.*):(\d+)$/);
  return found ? { file: found[1], line: Number(found[2]) } : null;
}
