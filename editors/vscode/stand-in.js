// A stand-in for the module `vscode`: as much of VS Code as the language client needs to start, open a file, ask for a
// hover and receive diagnostics. Whatever else the client touches is an object that does nothing.
const Module = require("node:module");
const { pathToFileURL, fileURLToPath } = require("node:url");

const none = () => ({ dispose() {} });

function anything() {
  const get = (_, key) => (key === "then" ? undefined : key === "prototype" ? Object.prototype : anything());
  return new Proxy(function () {}, { get, apply: anything, construct: anything });
}

// An object with some members, and anything for every other.
function filled(members, missing = anything) {
  return new Proxy(members, { get: (known, key) => (key in known ? known[key] : missing(key)) });
}

class EventEmitter {
  listeners = [];
  event = (listener) => (this.listeners.push(listener), none());
  fire(value) {
    for (const listener of this.listeners) listener(value);
  }
  dispose() {}
}

class Uri {
  constructor(text) {
    this.text = text;
    this.scheme = new URL(text).protocol.slice(0, -1);
    this.path = new URL(text).pathname;
    this.fsPath = this.scheme === "file" ? fileURLToPath(text) : this.path;
  }
  toString() {
    return this.text;
  }
  static parse = (text) => new Uri(text);
  static file = (path) => new Uri(pathToFileURL(path).href);
}

class Position {
  constructor(line, character) {
    Object.assign(this, { line, character });
  }
}

class Range {
  constructor(a, b, c, d) {
    Object.assign(this, typeof a === "object" ? { start: a, end: b } : { start: new Position(a, b), end: new Position(c, d) });
  }
}

class Diagnostic {
  constructor(range, message, severity) {
    Object.assign(this, { range, message, severity });
  }
}

class Hover {
  constructor(contents, range) {
    Object.assign(this, { contents, range });
  }
}

class MarkdownString {
  constructor(value) {
    this.value = value;
  }
}

class CancellationTokenSource {
  token = { isCancellationRequested: false, onCancellationRequested: none };
  cancel() {}
  dispose() {}
}

// A VS Code with one open folder and some settings: what a test can do with it, and what it saw.
function standIn(folder, settings) {
  const opened = new EventEmitter();
  const found = new EventEmitter();
  const seen = { hover: undefined, errors: [] };
  const events = (key) => (String(key).startsWith("on") ? none : anything());
  const vscode = filled({
    version: "1.82.0",
    EventEmitter,
    Uri,
    Position,
    Range,
    Diagnostic,
    Hover,
    MarkdownString,
    CancellationTokenSource,
    Disposable: class {
      dispose() {}
    },
    env: { appName: "test", language: "en" },
    workspace: filled(
      {
        workspaceFolders: [{ uri: Uri.file(folder), name: "root", index: 0 }],
        textDocuments: [],
        notebookDocuments: [],
        getConfiguration: () => ({ get: (name) => settings[name] }),
        createFileSystemWatcher: () => filled({}, () => none),
        onDidOpenTextDocument: opened.event,
      },
      events,
    ),
    window: filled(
      {
        createOutputChannel: () => filled({}, () => () => {}),
        visibleTextEditors: [],
        tabGroups: { all: [], onDidChangeTabs: none, onDidChangeTabGroups: none },
        activeTextEditor: undefined,
        showErrorMessage: async (message) => seen.errors.push(message),
      },
      events,
    ),
    languages: filled(
      {
        match: () => 1,
        createDiagnosticCollection: () =>
          filled({ set: (uri, diagnostics) => found.fire({ uri: String(uri), diagnostics }) }, () => none),
        registerHoverProvider: (_, provider) => ((seen.hover = provider), none()),
      },
      () => none,
    ),
    commands: { registerCommand: none, executeCommand: async () => {} },
  });
  const load = Module._load;
  Module._load = (name, ...rest) => (name === "vscode" ? vscode : load(name, ...rest));
  return { seen, found, open: (document) => opened.fire(document), token: new CancellationTokenSource().token, Uri };
}

module.exports = { standIn };
