// A text with numbers of lines: lines that decide a value, lines with an error and the line that is pointed at are marked.

export class Editor {
  constructor(text, gutter, changed, moved) {
    this.text = text;
    this.gutter = gutter;
    this.marks = new Map();
    text.addEventListener("input", () => { this.number(); changed(text.value); });
    text.addEventListener("scroll", () => { gutter.scrollTop = text.scrollTop; }, { passive: true });
    text.addEventListener("keydown", (event) => this.indent(event));
    document.addEventListener("selectionchange", () => { if (document.activeElement === text) moved(this.line()); });
  }

  show(value) {
    if (this.text.value !== value) this.text.value = value;
    this.number();
  }

  // The line of the caret
  line() {
    return this.text.value.slice(0, this.text.selectionStart).split("\n").length;
  }

  number() {
    const lines = this.text.value.split("\n").length;
    while (this.gutter.childElementCount > lines) this.gutter.lastElementChild.remove();
    while (this.gutter.childElementCount < lines) this.gutter.append(document.createElement("li"));
    this.paint();
  }

  // Words for lines, by number
  mark(marks) {
    this.marks = marks;
    this.paint();
  }

  paint() {
    [...this.gutter.children].forEach((row, at) => {
      const name = [...this.marks.get(at + 1) || []].join(" ");
      if (row.className !== name) row.className = name;
    });
    this.gutter.scrollTop = this.text.scrollTop;
  }

  // Put the caret at the beginning of a line, and show it
  go(line) {
    const at = this.text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
    this.text.focus();
    this.text.setSelectionRange(at, at);
    this.reveal(line);
  }

  reveal(line) {
    const height = parseFloat(getComputedStyle(this.text).lineHeight), top = (line - 1) * height;
    if (top < this.text.scrollTop || top > this.text.scrollTop + this.text.clientHeight - 2 * height) {
      this.text.scrollTop = Math.max(0, top - this.text.clientHeight / 3);
    }
  }

  // A new line begins below the last one; tabs leave the text, as everywhere on a page
  indent(event) {
    if (event.key !== "Enter" || event.isComposing || event.shiftKey || event.ctrlKey || event.metaKey) return;
    const before = this.text.value.slice(0, this.text.selectionStart);
    const line = before.slice(before.lastIndexOf("\n") + 1), spaces = line.match(/^ */)[0] + (/:\s*$/.test(line) ? "  " : "");
    if (!spaces) return;
    event.preventDefault();
    this.text.setRangeText(`\n${spaces}`, this.text.selectionStart, this.text.selectionEnd, "end");
    this.text.dispatchEvent(new Event("input"));
  }
}
