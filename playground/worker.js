// plait in a Web Worker: writes the files of the page into the memory of this Python, and asks it.
import { loadPyodide } from "./pyodide/pyodide.mjs";

const FOLDER = "/files", SETTINGS = "plait.yaml", PAGE = 65536;
const here = new URL("./", import.meta.url);

// A Python that has loaded plait, as it was when the site was built
async function snapshot() {
  const answer = await fetch(new URL("python.snapshot.gz", here));
  return new Response(answer.body.pipeThrough(new DecompressionStream("gzip"))).arrayBuffer();
}

// The WebAssembly is fetched and compiled while the snapshot is fetched; its memory begins as large as the snapshot,
// which is put there as a whole
function prepared(bytes) {
  const address = new URL("pyodide/pyodide.asm.wasm", here).href, { fetch } = self;
  const compiled = WebAssembly.compileStreaming(fetch(address));
  self.fetch = (wanted, ...words) => String(wanted) === address ? Promise.resolve(new Response()) : fetch(wanted, ...words);
  WebAssembly.instantiateStreaming = async (_, imports) => {
    const module = await compiled, instance = await WebAssembly.instantiate(module, imports), { memory } = instance.exports;
    memory.grow(Math.max(0, Math.ceil((await bytes - memory.buffer.byteLength) / PAGE)));
    return { module, instance };
  };
}

async function started() {
  const archive = fetch(new URL("plait.zip", here)).then((answer) => answer.arrayBuffer());
  const memory = snapshot();
  prepared(memory.then(({ byteLength }) => byteLength));
  const python = await loadPyodide({ indexURL: new URL("pyodide/", here).href, _loadSnapshot: await memory });
  python.FS.writeFile("/plait.zip", new Uint8Array(await archive));
  python.FS.mkdirTree(FOLDER);
  python.FS.chdir(FOLDER);
  return { python, playground: python.globals.get("playground") };
}

// The folder holds these files and nothing else
function write(FS, files) {
  for (const name of FS.readdir(FOLDER)) if (name !== "." && name !== "..") removed(FS, `${FOLDER}/${name}`);
  for (const [name, text] of files) {
    const path = `${FOLDER}/${name}`;
    FS.mkdirTree(path.slice(0, path.lastIndexOf("/")));
    FS.writeFile(path, text);
  }
}

function removed(FS, path) {
  if (!FS.isDir(FS.lstat(path).mode)) return FS.unlink(path);
  for (const name of FS.readdir(path)) if (name !== "." && name !== "..") removed(FS, `${path}/${name}`);
  FS.rmdir(path);
}

const ANSWERS = {
  show({ python, playground }, { files, ...words }) {
    const own = files.find(([name]) => name === SETTINGS)?.[1] || "";
    const asked = JSON.stringify({ ...words, files: files.map(([name]) => name), settings: own });
    write(python.FS, files);
    const settings = playground.settings(asked);
    if (settings) python.FS.writeFile(`${FOLDER}/${SETTINGS}`, settings);
    return JSON.parse(playground.show(asked));
  },
  piece: ({ playground }, address) => playground.piece(address),
};

const ready = started();

self.onmessage = async ({ data: [number, kind, words] }) => {
  try {
    self.postMessage([number, ANSWERS[kind](await ready, words), null]);
  } catch (error) {
    self.postMessage([number, null, String(error.message || error)]);
  }
};
