// Asks plait in its worker. Of questions about the files only the newest waits: those in between are not asked.

export class Engine {
  constructor() {
    // A worker from a blob has the content policy of the page: what runs in it cannot reach another host either.
    const start = new Blob([`import ${JSON.stringify(new URL("worker.js", import.meta.url).href)};`], { type: "text/javascript" });
    this.worker = new Worker(URL.createObjectURL(start), { type: "module" });
    this.number = 0;
    this.waiting = new Map();
    this.worker.onmessage = ({ data: [number, answer, error] }) => this.answered(number, answer, error);
    this.worker.onerror = (event) => this.failed(event.message || "the worker could not be started");
  }

  ask(kind, words) {
    return new Promise((resolve, reject) => {
      this.waiting.set(++this.number, [resolve, reject]);
      this.worker.postMessage([this.number, kind, words]);
    });
  }

  answered(number, answer, error) {
    const [resolve, reject] = this.waiting.get(number);
    this.waiting.delete(number);
    if (error === null) resolve(answer);
    else reject(new Error(error));
  }

  failed(message) {
    for (const [, reject] of this.waiting.values()) reject(new Error(message));
    this.waiting.clear();
  }
}

// Calls a function with the newest words, one call at a time
export function newest(call) {
  let busy = false, next = null;
  return async function wanted(words) {
    next = words;
    if (busy) return;
    busy = true;
    try {
      while (next !== null) {
        const now = next;
        next = null;
        await call(now, () => next !== null);
      }
    } finally {
      busy = false;
    }
  };
}
